/**
 * For `onCloseAutoFocus`. A closing surface returns the focus a moment later. If the person has clicked or been led
 * elsewhere by then, the focus stays there. The body has the focus if the focused element was removed with the surface.
 */
export function keepFocus(event: Event): void {
  const { activeElement } = document;
  if (activeElement !== null && activeElement !== document.body) event.preventDefault();
}
