import { isUtf8 } from 'node:buffer';
import { structuredPatch } from 'diff';
import type { DiffHunk } from '../contract/approvals';
import type { FileState } from '../contract/changes';
import type { Contents } from './contents';
import { linesOf } from './lines';
import type { DiffAnswer } from './protocol';

/** Lines of context around a change. */
const CONTEXT = 3;
/** Milliseconds for computing a diff. Beyond that, the whole old and new text become one change. */
const DEADLINE = 1_000;
/** Bytes of both sides up to which files are compared line by line. */
const MAX_COMPARED = 2 * 1024 * 1024;

const none = (kind: DiffAnswer['kind']): DiffAnswer => ({
  kind,
  hunks: [],
  cut: false,
  added: 0,
  removed: 0,
});

/** Compares a file with its earlier version, line by line. */
export function compare(
  before: FileState,
  after: FileState,
  maxLines: number,
  contents: Contents,
): DiffAnswer {
  if (before.type === 'link' || after.type === 'link') return none('link');
  const [old, now] = [bytesOf(before, contents), bytesOf(after, contents)];
  if (old === null || now === null) return none('lost');
  if (old.equals(now)) return none('same');
  if (isBinary(old) || isBinary(now)) return none('binary');
  if (old.length + now.length > MAX_COMPARED) return none('too_large');
  const all = hunksOf(old.toString('utf8'), now.toString('utf8'));
  const count = (mark: string) =>
    all.reduce((sum, hunk) => sum + hunk.lines.filter((line) => line.startsWith(mark)).length, 0);
  const hunks: DiffHunk[] = [];
  let room = maxLines;
  for (const hunk of all) {
    // Whole hunks only, because each can be undone.
    if (hunk.lines.length > room && hunks.length > 0) break;
    hunks.push(hunk);
    room -= hunk.lines.length;
  }
  return { kind: 'text', hunks, cut: hunks.length < all.length, added: count('+'), removed: count('-') };
}

/** The bytes of `after` with one hunk reverted, or null if there is no such hunk or the file is not text. */
export function withoutHunk(
  before: FileState,
  after: FileState,
  index: number,
  contents: Contents,
): Buffer | null {
  const [old, now] = [bytesOf(before, contents), bytesOf(after, contents)];
  if (old === null || now === null || isBinary(old) || isBinary(now)) return null;
  const hunk = hunksOf(old.toString('utf8'), now.toString('utf8'))[index];
  if (hunk === undefined) return null;
  const [oldLines, newLines] = [linesOf(old.toString('utf8')), linesOf(now.toString('utf8'))];
  const oldFrom = hunk.oldLines === 0 ? hunk.oldStart : hunk.oldStart - 1;
  const newFrom = hunk.newLines === 0 ? hunk.newStart : hunk.newStart - 1;
  const put = oldLines.slice(oldFrom, oldFrom + hunk.oldLines);
  const lines = newLines.toSpliced(newFrom, hunk.newLines, ...put);
  return Buffer.from(lines.join(''));
}

function hunksOf(old: string, now: string): DiffHunk[] {
  const patch = structuredPatch('', '', old, now, undefined, undefined, {
    context: CONTEXT,
    timeout: DEADLINE,
  });
  if (patch === undefined) return [wholeChange(old, now)];
  return patch.hunks.map(({ oldStart, oldLines, newStart, newLines, lines }) => ({
    // If a side has no lines, a unified diff names the line before.
    oldStart: oldLines === 0 ? 0 : oldStart,
    oldLines,
    newStart: newLines === 0 ? 0 : newStart,
    newLines,
    lines,
  }));
}

function wholeChange(old: string, now: string): DiffHunk {
  const [removed, added] = [linesOf(old), linesOf(now)];
  const shown = (mark: string) => (line: string) => mark + line.replace(/\n$/, '');
  return {
    oldStart: removed.length === 0 ? 0 : 1,
    oldLines: removed.length,
    newStart: added.length === 0 ? 0 : 1,
    newLines: added.length,
    lines: [...removed.map(shown('-')), ...added.map(shown('+'))],
  };
}

function bytesOf(state: FileState, contents: Contents): Buffer | null {
  if (state.type !== 'file') return Buffer.alloc(0);
  return state.hash === null ? null : contents.get(state.hash);
}

const isBinary = (bytes: Buffer): boolean => bytes.includes(0) || !isUtf8(bytes);
