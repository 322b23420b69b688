/**
 * The height at which somebody reads, in pixels from the beginning: at the upper edge of what is seen at the beginning, at
 * the lower one at the end, between them on the way. So the first page is read first, however much of the next is seen.
 */
export function readingAt(scrolled: number, seen: number, total: number): number {
  const way = total > seen ? Math.min(1, Math.max(0, scrolled / (total - seen))) : 0;
  return scrolled + seen * way;
}
