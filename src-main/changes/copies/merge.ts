import { diff3Merge } from 'node-diff3';
import { linesOf } from '../lines';

/** Maximum pairs of equal lines to compare. More would block the main thread. */
const MAX_PAIRS = 2_000_000;

/** The three versions of a file. */
export interface Versions<T> {
  /** When the private copy was made. */
  base: T;
  /** In the folder. */
  folder: T;
  /** In the private copy. */
  copy: T;
}

/** A part of a merged file, as lines with their line ends. */
export type MergedPart = { lines: string[] } | Conflict;

export interface Conflict {
  conflict: Versions<string[]>;
  /** The first line in the folder's version, from 0. */
  at: number;
}

/**
 * Merges three versions by line. Parts that both sides changed differently are conflicts. Null: too large to compare by line.
 */
export function mergeTexts(texts: Versions<string>): MergedPart[] | null {
  const all = { base: linesOf(texts.base), folder: linesOf(texts.folder), copy: linesOf(texts.copy) };
  const start = sharedLines(all, (lines, index) => lines[index]);
  const rest = cut(all, start, 0);
  const end = sharedLines(rest, (lines, index) => lines[lines.length - 1 - index]);
  const middle = cut(rest, 0, end);
  if (pairs(middle.base, middle.folder) + pairs(middle.base, middle.copy) > MAX_PAIRS) return null;
  const merged = diff3Merge(middle.folder, middle.base, middle.copy, { excludeFalseConflicts: true });
  const parts = merged.map(({ ok, conflict }): MergedPart => {
    if (conflict === undefined) return { lines: ok ?? [] };
    const { a, aIndex, o, b } = conflict;
    return { conflict: { base: o, folder: a, copy: b }, at: start + aIndex };
  });
  return [
    { lines: all.base.slice(0, start) },
    ...parts,
    { lines: end === 0 ? [] : all.base.slice(-end) },
  ].filter((part) => 'conflict' in part || part.lines.length > 0);
}

/** How a conflict is resolved. `both`: the folder's lines, then the copy's. */
export type Side = 'folder' | 'copy' | 'both';

/** The text with each conflict resolved, in order. Null if a conflict has no answer. */
export function textOf(parts: readonly MergedPart[], sides: readonly Side[]): string | null {
  let at = 0;
  const out: string[] = [];
  for (const part of parts) {
    if ('lines' in part) {
      out.push(...part.lines);
      continue;
    }
    const side = sides[at++];
    if (side === undefined) return null;
    if (side !== 'copy') out.push(...part.conflict.folder);
    if (side === 'both') closeLine(out);
    if (side !== 'folder') out.push(...part.conflict.copy);
  }
  // A line without its end may now have lines after it.
  return out
    .map((line, index) => (index < out.length - 1 && !line.endsWith('\n') ? `${line}\n` : line))
    .join('');
}

function closeLine(lines: string[]): void {
  const last = lines.at(-1);
  if (last !== undefined && !last.endsWith('\n')) lines[lines.length - 1] = `${last}\n`;
}

const cut = ({ base, folder, copy }: Versions<string[]>, start: number, end: number): Versions<string[]> => ({
  base: base.slice(start, base.length - end),
  folder: folder.slice(start, folder.length - end),
  copy: copy.slice(start, copy.length - end),
});

/** Number of lines that all three share from one end. */
function sharedLines(
  { base, folder, copy }: Versions<string[]>,
  lineAt: (lines: string[], index: number) => string | undefined,
): number {
  const most = Math.min(base.length, folder.length, copy.length);
  let count = 0;
  while (count < most) {
    const line = lineAt(base, count);
    if (line !== lineAt(folder, count) || line !== lineAt(copy, count)) break;
    count += 1;
  }
  return count;
}

function pairs(a: readonly string[], b: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const line of a) counts.set(line, (counts.get(line) ?? 0) + 1);
  return b.reduce((sum, line) => sum + (counts.get(line) ?? 0), 0);
}
