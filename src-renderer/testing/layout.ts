import { vi } from 'vitest';

/**
 * Gives every element a size, which happy-dom does not: virtual lists render the rows that fit, and none without a height.
 */
export function giveElementsSize(): void {
  for (const name of ['clientHeight', 'offsetHeight'])
    Object.defineProperty(HTMLElement.prototype, name, { configurable: true, get: () => 800 });
  for (const name of ['clientWidth', 'offsetWidth'])
    Object.defineProperty(HTMLElement.prototype, name, { configurable: true, get: () => 400 });
}

/**
 * Lets each ResizeObserver report the first size of what it observes, as in a browser. Returns a function that reports another
 * one. Lasts until `vi.unstubAllGlobals`.
 */
export function reportSizes(): () => void {
  const watching = new Set<() => void>();
  vi.stubGlobal(
    'ResizeObserver',
    class {
      constructor(private readonly changed: () => void) {}
      observe() {
        watching.add(this.changed);
        this.changed();
      }
      unobserve() {}
      disconnect() {
        watching.delete(this.changed);
      }
    },
  );
  return () => {
    for (const changed of watching) changed();
  };
}
