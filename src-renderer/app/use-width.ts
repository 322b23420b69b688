import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { useFontScale } from '../ui';

const subscribe = (changed: () => void) => {
  window.addEventListener('resize', changed);
  return () => window.removeEventListener('resize', changed);
};
const read = () => window.innerWidth;

type Layout = 'wide' | 'medium' | 'narrow';

/** Below 1,100 px the dock becomes a drawer, below 760 px the sidebar too. Both limits scale with the text size. */
function useFittingLayout(): Layout {
  const width = useSyncExternalStore(subscribe, read) / Math.max(1, useFontScale());
  return width < 760 ? 'narrow' : width < 1_100 ? 'medium' : 'wide';
}

/** The parts that move, or go, when the layout changes. */
const PARTS = '[data-part="dock"], [data-part="threads"]';

/** Whether the person has typed in one of the parts, and gone to no other part since. A search is easily typed again. */
function useIsTypedIn(): boolean {
  const [part, setPart] = useState<Element | null>(null);
  useEffect(() => {
    const typed = ({ target }: Event) =>
      target instanceof Element && !target.matches('[type="search"]') && setPart(target.closest(PARTS));
    const left = ({ target }: Event) =>
      setPart((now) => (target instanceof Element && now?.contains(target) === true ? now : null));
    // After React: a render before it would put the old value back into the field, and what was typed would be lost.
    document.addEventListener('input', typed);
    document.addEventListener('focusin', left);
    return () => {
      document.removeEventListener('input', typed);
      document.removeEventListener('focusin', left);
    };
  }, []);
  return part !== null;
}

/**
 * The layout for the width of the window, and what tells it that a dialog of a part has opened (1) or closed (-1). A part that
 * moves is a new one, without what was typed in it, so the layout stays as it is while a dialog of a part is open or the person
 * types in one.
 */
export function useLayout(): { layout: Layout; onDialog(by: 1 | -1): void } {
  const fitting = useFittingLayout();
  const [layout, setLayout] = useState(fitting);
  const [dialogs, setDialogs] = useState(0);
  const isTypedIn = useIsTypedIn();
  const isHeld = dialogs > 0 || isTypedIn;
  // While rendering, as React advises for state that follows from a change of something else.
  if (!isHeld && layout !== fitting) setLayout(fitting);
  const onDialog = useCallback((by: 1 | -1) => setDialogs((before) => before + by), []);
  return { layout, onDialog };
}

export type { Layout };
