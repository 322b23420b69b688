/**
 * The reading position in pixels from the top of the document. It is the top edge of the visible area at the start of the
 * document, the bottom edge at the end, and moves from one to the other in between. So the first page comes first, however
 * much of the next one is visible.
 */
export function readingAt(scrolled: number, seen: number, total: number): number {
  const way = total > seen ? Math.min(1, Math.max(0, scrolled / (total - seen))) : 0;
  return scrolled + seen * way;
}
