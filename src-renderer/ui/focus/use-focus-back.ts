import { type RefObject, useEffect, useRef } from 'react';
import { focusBack } from './keep-focus';

/**
 * For a view with buttons that disappear or are disabled once they have done their work, such as Stop, also together with
 * the view: the focus does not get lost with them. `view`: changes when a button may have gone. `to` gets the focus, or else
 * what had it last. Returns the properties of the element around the buttons.
 */
export function useFocusBack(view: unknown, to?: RefObject<HTMLElement | null>) {
  const isInside = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a button goes when the view changes
  useEffect(() => {
    if (isInside.current) focusBack(to?.current);
  }, [view, to]);
  useEffect(
    () => () => {
      if (isInside.current) focusBack();
    },
    [],
  );
  return {
    onFocusCapture: () => {
      isInside.current = true;
    },
    // React does not report the blur of an element that it removes.
    onBlurCapture: () => {
      isInside.current = false;
    },
  };
}
