/**
 * For `onCloseAutoFocus`. A surface that closes gives the focus back a moment later; whoever has clicked or been led
 * somewhere else by then keeps it. Nothing has it where what had it went with the surface.
 */
export function keepFocus(event: Event): void {
  const { activeElement } = document;
  if (activeElement !== null && activeElement !== document.body) event.preventDefault();
}
