import { structuredPatch } from 'diff';

/** Lines of context around a change. */
const CONTEXT = 3;
/** Maximum lines, or UTF-16 units, between the first and the last difference. Larger parts are not compared. */
const MAX_COMPARED_LINES = 4_000;
const MAX_COMPARED_LENGTH = 500_000;
/** Maximum lines times changed lines to compare: about 30 ms of work. */
const MAX_WORK = 800_000;
const MAX_CHANGED = 1_500;
const LINE_FEED = 10;
/** UTF-16 units compared in one step. */
const STEP = 4_096;

/** As in a unified diff: 1-based first lines, line counts of both sides, and each line with its mark. */
interface DiffHunk {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
  lines: string[];
}

interface BoundedDiff {
  hunks: DiffHunk[];
  added: number;
  removed: number;
  /** More lines changed than `hunks` contains. */
  cut: boolean;
}

/**
 * The line diff of two texts, at most `maxLines` long. It skips the equal parts at both ends quickly and compares the middle
 * up to a limit; a larger middle is one change. So it never blocks the main thread for long, and equal inputs give equal
 * results.
 */
export function boundedDiff(before: string, after: string, maxLines = Number.POSITIVE_INFINITY): BoundedDiff {
  if (before === after) return { hunks: [], added: 0, removed: 0, cut: false };
  const start = lineStart(before, commonStart(before, after));
  const end = commonEnd(before, after, start);
  const from = linesBack(before, start);
  const to = before.length - linesOn(before, before.length - end);
  const offset = newlines(before, 0, from);
  const [old, now] = [before.slice(from, before.length - to), after.slice(from, after.length - to)];
  const compared = comparedHunks(old, now, offset);
  if (compared === null) {
    const lead = newlines(before, from, start);
    return wholeChange(
      before.slice(start, before.length - end),
      after.slice(start, after.length - end),
      offset + lead,
      maxLines,
    );
  }
  const count = (mark: string) =>
    compared.reduce((sum, { lines }) => sum + lines.filter((line) => line.startsWith(mark)).length, 0);
  return { ...limited(compared, maxLines), added: count('+'), removed: count('-') };
}

function comparedHunks(old: string, now: string, offset: number): DiffHunk[] | null {
  if (old.length + now.length > MAX_COMPARED_LENGTH) return null;
  const lines = newlines(old, 0, old.length) + newlines(now, 0, now.length);
  if (lines > MAX_COMPARED_LINES) return null;
  const patch = structuredPatch('', '', old, now, undefined, undefined, {
    context: CONTEXT,
    maxEditLength: Math.min(MAX_CHANGED, Math.ceil(MAX_WORK / (lines + 1))),
  });
  return (
    patch?.hunks.map(({ oldStart, oldLines, newStart, newLines, lines: shown }) => ({
      oldStart: oldStart + offset,
      oldLines,
      newStart: newStart + offset,
      newLines,
      lines: shown,
    })) ?? null
  );
}

function limited(all: readonly DiffHunk[], maxLines: number): Pick<BoundedDiff, 'hunks' | 'cut'> {
  const hunks: DiffHunk[] = [];
  let room = maxLines;
  for (const hunk of all) {
    if (room <= 0) return { hunks, cut: true };
    hunks.push({ ...hunk, lines: hunk.lines.slice(0, room) });
    room -= hunk.lines.length;
  }
  return { hunks, cut: room < 0 };
}

/** Removes all old lines and adds all new ones. */
function wholeChange(old: string, now: string, offset: number, maxLines: number): BoundedDiff {
  const [removed, added] = [lineCount(old), lineCount(now)];
  const first = firstLines(old, '-', maxLines);
  const lines = [...first, ...firstLines(now, '+', maxLines - first.length)];
  return {
    hunks: [{ oldStart: offset + 1, oldLines: removed, newStart: offset + 1, newLines: added, lines }],
    added,
    removed,
    cut: lines.length < removed + added,
  };
}

function firstLines(text: string, mark: string, most: number): string[] {
  const lines: string[] = [];
  for (let at = 0; at < text.length && lines.length < most; ) {
    const end = text.indexOf('\n', at);
    lines.push(mark + text.slice(at, end === -1 ? text.length : end));
    at = end === -1 ? text.length : end + 1;
  }
  return lines;
}

const lineCount = (text: string): number =>
  newlines(text, 0, text.length) + (text === '' || text.endsWith('\n') ? 0 : 1);

function newlines(text: string, from: number, to: number): number {
  let count = 0;
  // A search for each takes three times as long where lines are empty.
  for (let at = from; at < to; at += 1) if (text.charCodeAt(at) === LINE_FEED) count += 1;
  return count;
}

function commonStart(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let at = 0;
  while (at < most && a.slice(at, at + STEP) === b.slice(at, at + STEP)) at += STEP;
  while (at < most && a.charCodeAt(at) === b.charCodeAt(at)) at += 1;
  return Math.min(at, most);
}

/** Units of the whole lines that both texts end with, none before `start`. */
function commonEnd(a: string, b: string, start: number): number {
  const most = Math.min(a.length, b.length) - start;
  let length = 0;
  const piece = (text: string, size: number) => text.slice(text.length - length - size, text.length - length);
  while (length + STEP <= most && piece(a, STEP) === piece(b, STEP)) length += STEP;
  while (length < most && piece(a, 1) === piece(b, 1)) length += 1;
  // Up to the start of a line in both texts.
  for (;;) {
    const begins = (text: string) => length === text.length || text[text.length - length - 1] === '\n';
    if (length === 0 || (begins(a) && begins(b))) return length;
    const next = a.indexOf('\n', a.length - length);
    if (next === -1) return 0;
    length = a.length - next - 1;
  }
}

const lineStart = (text: string, at: number): number => text.lastIndexOf('\n', at - 1) + 1;

/** The start of the context lines before a line. */
function linesBack(text: string, at: number): number {
  let from = at;
  for (let line = 0; line < CONTEXT && from > 0; line += 1) from = lineStart(text, from - 1);
  return from;
}

/** The end of the context lines after a line. */
function linesOn(text: string, at: number): number {
  let to = at;
  for (let line = 0; line < CONTEXT && to < text.length; line += 1) {
    const end = text.indexOf('\n', to);
    to = end === -1 ? text.length : end + 1;
  }
  return to;
}
