import type { ThreadState } from '../../../contract/conversation';
import { ok, type Result } from '../../../contract/result';
import type { ProjectRegistry } from '../projects';
import type { Reverts } from './reverts';

/** Maximum UTF-16 units of a diff. */
const MAX_DIFF = 400_000;
/** Maximum number of files with lines in a diff; the others are only named. */
const MAX_FILES = 100;

const NOT_TEXT = {
  binary: 'not a text',
  too_large: 'too large to compare',
  lost: 'its earlier content is not kept',
  link: 'a link',
  same: 'nothing but its permissions',
} as const;

/** The diff in `git diff` format from before the thread's first change to now; empty if nothing differs. */
export async function diffOf(
  { projects, reverts }: { projects: ProjectRegistry; reverts: Reverts },
  state: ThreadState,
  signal: AbortSignal,
): Promise<Result<string>> {
  const project = await projects.present(state.thread.projectId);
  if (!project.ok) return project;
  const listed = await reverts.list(project.value, state);
  if (!listed.ok) return listed;
  const parts: string[] = [];
  let length = 0;
  let left = listed.value.more;
  for (const [index, { path, change }] of listed.value.files.entries()) {
    if (index >= MAX_FILES || length > MAX_DIFF) {
      left += 1;
      continue;
    }
    const file = await reverts.file(project.value, state, path, undefined, signal);
    if (!file.ok) continue;
    const from = change === 'added' ? '/dev/null' : `a/${path}`;
    const to = change === 'removed' ? '/dev/null' : `b/${path}`;
    const hunks = file.value.hunks.map(
      ({ oldStart, oldLines, newStart, newLines, lines }) =>
        `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@\n${lines.join('\n')}`,
    );
    if (file.value.kind === 'document') hunks.push('(the text of a document)');
    else if (file.value.kind !== 'text') hunks.push(`(${NOT_TEXT[file.value.kind]})`);
    if (file.value.cut) hunks.push('(the rest of this change is left out)');
    const part = [`--- ${from}`, `+++ ${to}`, ...hunks].join('\n');
    parts.push(part);
    length += part.length;
  }
  if (left > 0) parts.push(`(${left} more changed files are left out)`);
  return ok(parts.length === 0 ? '' : `${parts.join('\n')}\n`);
}
