import { type RefObject, useEffect } from 'react';

/**
 * Keeps the selected tab of a list of tabs visible, when another one is selected, and when the list gets narrower or lower.
 * `selected`: identifies the tab.
 */
export function useSelectedInView(list: RefObject<HTMLElement | null>, selected: string | null | undefined) {
  useEffect(() => {
    const tabs = list.current;
    if (tabs === null || selected == null) return;
    const show = () =>
      tabs
        .querySelector('[role="tab"][aria-selected="true"]')
        ?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    // Also reports the first size, after the layout of the frame: asking for it earlier would make one more.
    const watch = new ResizeObserver(show);
    watch.observe(tabs);
    return () => watch.disconnect();
  }, [list, selected]);
}
