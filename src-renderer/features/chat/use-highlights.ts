import { useEffect } from 'react';
import type { Found } from './find-bar';

/** Highlight names that styles.css assigns colors to. */
const ALL = 'found';
const CURRENT = 'found-current';
/** Maximum number of highlighted matches; the others are still counted. */
const MAX_RANGES = 2_000;

/**
 * Highlights a text wherever it occurs in the rendered document, and one match more strongly. The document does not change,
 * so streaming and the selection are unaffected.
 */
export function useHighlights(
  scroller: () => HTMLElement | null,
  text: string | undefined,
  found: Found | undefined,
  /** A new object means that different rows are shown. */
  shown: unknown,
): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the position of the current match depends on the rows
  useEffect(() => {
    const element = scroller();
    if (!element || text === undefined || text === '' || !('highlights' in CSS)) return;
    let frame = 0;
    let isSought = found?.messageId !== undefined;
    const draw = () => {
      frame = 0;
      const ranges = rangesOf(element, text.toLowerCase());
      CSS.highlights.set(ALL, new Highlight(...ranges));
      const row =
        found?.messageId === undefined
          ? null
          : element.querySelector(
              `[data-row="${CSS.escape(found.messageId)}"], [data-message="${CSS.escape(found.messageId)}"]`,
            );
      const mine = row ? ranges.filter((range) => row.contains(range.startContainer)) : [];
      const current = mine[Math.min(found?.nth ?? 0, mine.length - 1)];
      CSS.highlights.set(CURRENT, new Highlight(...(current ? [current] : [])));
      if (!current || !isSought) return;
      isSought = false;
      const { top, bottom } = current.getBoundingClientRect();
      const view = element.getBoundingClientRect();
      if (top < view.top + 48 || bottom > view.bottom - 24)
        element.scrollTop += top - view.top - view.height / 2;
    };
    const later = () => {
      frame ||= requestAnimationFrame(draw);
    };
    later();
    const observer = new MutationObserver(later);
    observer.observe(element, { childList: true, characterData: true, subtree: true });
    return () => {
      observer.disconnect();
      cancelAnimationFrame(frame);
      CSS.highlights.delete(ALL);
      CSS.highlights.delete(CURRENT);
    };
  }, [text, found, shown !== undefined]);
}

/** The matches of a text within single text nodes; matches across a color or link boundary are not found. */
function rangesOf(element: HTMLElement, wanted: string): Range[] {
  const ranges: Range[] = [];
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const words = (node.nodeValue ?? '').toLowerCase();
    for (let at = words.indexOf(wanted); at !== -1; at = words.indexOf(wanted, at + wanted.length)) {
      if (ranges.length === MAX_RANGES) return ranges;
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, Math.min(at + wanted.length, node.nodeValue?.length ?? 0));
      ranges.push(range);
    }
  }
  return ranges;
}
