import type { DiffHunk } from '../../contract/approvals';
import type { ChangeAuthor } from '../../contract/changes';
import type { GitAuthor } from '../../contract/git';
import type { Blame } from '../project/changes/blame';
import { fieldsOf, pathOf } from './path-texts';
import { type GitPlace, runGit } from './run-git';

/** Maximum number of commits that are searched for the last change of a path. */
const MAX_COMMITS = 200;
const MAX_KNOWN = 50;

/** When each path was last committed, in milliseconds. Kept by commit: history never changes. */
const known = new Map<string, Map<string, number>>();

export async function lastCommitted(
  place: GitPlace,
  headId: string | null,
  signal: AbortSignal | undefined,
): Promise<Map<string, number>> {
  if (headId === null) return new Map();
  const before = known.get(headId);
  if (before !== undefined) return before;
  const log = await runGit(
    place,
    [
      'log',
      `--max-count=${MAX_COMMITS}`,
      '-z',
      '--format=%x01%ct',
      '--name-only',
      '--no-renames',
      '--no-show-signature',
      headId,
    ],
    { signal },
  );
  if (log.end === 'cancelled') return new Map();
  const times = new Map<string, number>();
  let at = 0;
  for (const field of fieldsOf(log.stdout)) {
    // A line break separates the time from the first path.
    const name = pathOf(field.startsWith('\n') ? field.slice(1) : field);
    if (name.startsWith('\u0001')) at = Number(name.slice(1)) * 1_000;
    else if (name !== '' && !times.has(name)) times.set(name, at);
  }
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(headId, times);
  return times;
}

/** Who changed a path since its last commit. Commits know only seconds. */
export function authorOf(
  times: readonly { by: ChangeAuthor['by']; at: number }[],
  committedAt: number,
): GitAuthor {
  const since = new Set(times.filter(({ at }) => at >= committedAt).map(({ by }) => by));
  if (since.has('agent')) return since.has('person') ? 'both' : 'agent';
  return since.has('unclear') ? 'unclear' : 'person';
}

/** Who wrote the added lines of a hunk. `whole`: who changed the file, for hunks that only remove lines. */
export function authorOfHunk(hunk: DiffHunk, blame: Blame, whole: GitAuthor): GitAuthor {
  const found = new Set<ChangeAuthor['by']>();
  let line = hunk.newStart;
  for (const text of hunk.lines) {
    if (text.startsWith('+')) found.add(byAt(blame, line));
    if (text.startsWith('+') || text.startsWith(' ')) line += 1;
  }
  if (found.size === 0) return whole === 'both' ? 'unclear' : whole;
  if (found.has('agent')) return found.size > 1 ? 'both' : 'agent';
  return found.has('unclear') ? 'unclear' : 'person';
}

function byAt({ steps, runs }: Blame, line: number): ChangeAuthor['by'] {
  let end = 0;
  for (const { count, step } of runs) {
    end += count;
    if (line <= end) return (step === null ? undefined : steps[step])?.author.by ?? 'person';
  }
  return 'person';
}
