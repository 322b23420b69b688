/** The elements of a dialog, or of the window itself, that had the focus last, the newest first. */
interface Layer {
  surface: Element | null;
  elements: readonly WeakRef<HTMLElement>[];
}

const MAX_LAYERS = 8;
/** More than one, because the last one may be gone, such as the anchor of a context menu. */
const MAX_ELEMENTS = 3;

/** The one with the focus is the first. */
let layers: Layer[] = [];

document.addEventListener(
  'focusin',
  ({ target }) => {
    // A menu has gone when what was chosen in it closes.
    if (!(target instanceof HTMLElement) || target.closest('[role=menu], [aria-hidden=true]')) return;
    const surface = target.closest('[role=dialog]');
    const last = layers.find((one) => one.surface === surface)?.elements ?? [];
    const elements = [new WeakRef(target), ...last.filter((one) => one.deref() !== target)];
    const others = layers.filter((one) => one.surface !== surface && one.surface?.isConnected !== false);
    layers = [{ surface, elements: elements.slice(0, MAX_ELEMENTS) }, ...others].slice(0, MAX_LAYERS);
  },
  { capture: true, passive: true },
);

/** Whether nothing has the focus, because the element that had it was removed or disabled. */
export const isFocusLost = (): boolean => {
  const { activeElement } = document;
  return activeElement === null || activeElement === document.body || activeElement.matches(':disabled');
};

/** For `onCloseAutoFocus` of a surface with a trigger, which gets the focus back a moment later, unless it has moved. */
export function keepFocus(event: Event): void {
  if (!isFocusLost()) event.preventDefault();
}

/**
 * For `onCloseAutoFocus` of a surface without a trigger: what had the focus before gets it back, unless it has moved. If that
 * is gone, such as the palette that opened a dialog, it is what had the focus before that.
 */
export function returnFocus(event: Event): void {
  event.preventDefault();
  focusBack();
}

/** If nothing has the focus: `before` gets it, or else what had it last and is still there. */
export function focusBack(before?: Element | null): void {
  if (!isFocusLost()) return;
  for (const one of [before, ...layers.flatMap(({ elements }) => elements.map((it) => it.deref()))]) {
    if (!(one instanceof HTMLElement) || one === document.body) continue;
    if (!one.isConnected || one.matches(':disabled')) continue;
    one.focus();
    if (document.activeElement === one) return;
  }
}

/** Moves the focus to a field whose text the next key replaces. */
export function selectField(field: HTMLInputElement | null): void {
  field?.focus();
  field?.select();
}
