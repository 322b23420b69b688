import type { ChangeAuthor } from '../../contract/changes';
import type { DiffHunk } from '../../contract/conversation';

/** One change of a file: from its hunks it is plain which lines it brought. */
export interface BlameStep {
  at: number;
  author: ChangeAuthor;
  /** Null where the two contents cannot be compared: of what stood before nothing is known any more. */
  hunks: readonly DiffHunk[] | null;
}

export interface Blame {
  steps: { at: number; author: ChangeAuthor }[];
  /** Runs of lines from the top: how many, and which step brought them; null: before anything was recorded. */
  runs: { count: number; step: number | null }[];
}

/** Who brought which line; steps oldest first. Lines after the last run are from before the first step. Pure. */
export function blameOf(steps: readonly BlameStep[]): Blame {
  let owners: (number | null)[] = [];
  for (const [index, { hunks }] of steps.entries()) {
    const next: (number | null)[] = [];
    let taken = 0;
    for (const { oldStart, lines } of hunks ?? []) {
      for (; taken < oldStart - 1; taken += 1) next.push(owners[taken] ?? null);
      for (const line of lines) {
        if (line.startsWith('+')) next.push(index);
        else if (line.startsWith('-')) taken += 1;
        else if (line.startsWith(' ')) {
          next.push(owners[taken] ?? null);
          taken += 1;
        }
      }
    }
    owners = hunks === null ? [] : [...next, ...owners.slice(taken)];
  }
  const runs: Blame['runs'] = [];
  for (const step of owners) {
    const last = runs.at(-1);
    if (last !== undefined && last.step === step) last.count += 1;
    else runs.push({ count: 1, step });
  }
  return { steps: steps.map(({ at, author }) => ({ at, author })), runs };
}
