import type { ToolCall } from '@contract/conversation';
import { structuredPatch } from 'diff';
import type { Hunk } from '../../../ui';

/** Longer texts are not compared in the renderer. */
const MAX_DIFF = 100_000;
/** Removed and added lines; with more changes, both texts are shown unchanged. */
const MAX_CHANGED = 1_000;

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The change of an edit, or the whole text of a new file, as hunks; undefined for other calls. */
export function changeOf(call: ToolCall): Hunk[] | undefined {
  const [before, after] =
    call.display === 'edit'
      ? [text(call.args.old_string), text(call.args.new_string)]
      : call.display === 'write'
        ? ['', text(call.args.content)]
        : ['', ''];
  if (before === after || before.length + after.length > MAX_DIFF) return undefined;
  const patch = structuredPatch('', '', before, after, '', '', { context: 3, maxEditLength: MAX_CHANGED });
  return patch?.hunks.map((hunk) => ({
    ...hunk,
    // A selection without a final newline does not mean a file without one.
    lines: hunk.lines.filter((line) => !line.startsWith('\\')),
  }));
}

/** The lines that an edit adds and removes in each place; undefined for other calls, and if it may change several places. */
export function lineCounts(call: ToolCall): { added: number; removed: number } | undefined {
  if (call.display !== 'edit' || call.args.replace_all === true) return undefined;
  const lines = changeOf(call)?.flatMap((hunk) => hunk.lines);
  const count = (mark: string) => lines?.filter((line) => line.startsWith(mark)).length ?? 0;
  return lines && { added: count('+'), removed: count('-') };
}
