import type { DiffHunk } from '../../../contract/approvals';
import type { ChangeAuthor } from '../../../contract/changes';

/** One change of a file. Its hunks show which lines it added. */
export interface BlameStep {
  at: number;
  author: ChangeAuthor;
  /** Null if the two contents cannot be compared. Earlier lines cannot be attributed then. */
  hunks: readonly DiffHunk[] | null;
}

export interface Blame {
  steps: { at: number; author: ChangeAuthor }[];
  /** Runs of lines from the top: their number and the step that added them; null: before recording started. */
  runs: { count: number; step: number | null }[];
}

/** Attributes lines to steps, oldest step first. Lines after the last run predate the first step. */
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
