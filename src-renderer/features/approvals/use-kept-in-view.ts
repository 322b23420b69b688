import { type RefObject, useEffect } from 'react';

/** A card that grows while the person works in it, as when a file in it opens, keeps its buttons in view. */
export function useKeptInView(card: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = card.current;
    if (element === null) return;
    let height = element.offsetHeight;
    const watch = new ResizeObserver(() => {
      const grew = element.offsetHeight > height;
      height = element.offsetHeight;
      if (grew && element.contains(document.activeElement)) element.scrollIntoView({ block: 'nearest' });
    });
    watch.observe(element);
    return () => watch.disconnect();
  }, [card]);
}
