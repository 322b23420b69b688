import { useSyncExternalStore } from 'react';

/** Pixels between the toasts and the edges of the window. */
export interface ToastsPlace {
  left: number;
  right: number;
  bottom: number;
}

let place: ToastsPlace | undefined;
const listeners = new Set<() => void>();

/** Where toasts appear. Undefined: their default position. */
export function placeToasts(next: ToastsPlace | undefined): void {
  const isSame = place?.left === next?.left && place?.right === next?.right && place?.bottom === next?.bottom;
  if (isSame) return;
  place = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The position as variables of the element of the toasts: on <html>, each change would restyle the whole page. */
export function useToastsStyle(): Record<string, string> {
  const now = useSyncExternalStore(subscribe, () => place);
  if (now === undefined) return {};
  return {
    '--toasts-left': `${now.left}px`,
    '--toasts-right': `${now.right}px`,
    '--toasts-bottom': `${now.bottom}px`,
  };
}
