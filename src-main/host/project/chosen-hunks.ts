import { linesOf } from '../../changes/lines';
import type { DiffHunk } from '../../contract/approvals';

/** Applies some hunks of a diff to a text, chosen by their index. */
export function withHunks(before: string, hunks: readonly DiffHunk[], chosen: ReadonlySet<number>): string {
  const lines = linesOf(before);
  const out: string[] = [];
  let at = 0;
  for (const [index, hunk] of hunks.entries()) {
    if (!chosen.has(index)) continue;
    // A hunk without old lines comes after the line that it names.
    const start = hunk.oldLines === 0 ? hunk.oldStart : hunk.oldStart - 1;
    out.push(...lines.slice(at, start));
    out.push(...newSide(hunk.lines));
    at = start + hunk.oldLines;
  }
  return [...out, ...lines.slice(at)].join('');
}

function newSide(lines: readonly string[]): string[] {
  const out: string[] = [];
  for (const [index, line] of lines.entries()) {
    if (line.startsWith('-') || line.startsWith('\\')) continue;
    const isCutShort = lines[index + 1]?.startsWith('\\') === true;
    out.push(isCutShort ? line.slice(1) : `${line.slice(1)}\n`);
  }
  return out;
}
