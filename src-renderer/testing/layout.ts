/**
 * Gives every element a size, which happy-dom does not: virtual lists render the rows that fit, and none without a height.
 */
export function giveElementsSize(): void {
  for (const name of ['clientHeight', 'offsetHeight'])
    Object.defineProperty(HTMLElement.prototype, name, { configurable: true, get: () => 800 });
  for (const name of ['clientWidth', 'offsetWidth'])
    Object.defineProperty(HTMLElement.prototype, name, { configurable: true, get: () => 400 });
}
