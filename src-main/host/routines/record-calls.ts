import type { PlacesOnDisk } from '../../approvals/bash/paths/places';
import { withPrograms } from '../../approvals/bash/paths/programs';
import { suggestRules } from '../../approvals/rule-suggestions';
import type { Decision } from '../../contract/approvals';
import type { ThreadState } from '../../contract/conversation';
import type { RecordedCall, RoutineRun } from '../../contract/routines';
import { aboutCall } from '../approvals/routine-gate';

/** Decisions that let a call happen. */
const LETS: readonly Decision['type'][] = ['approve', 'edit', 'keep', 'run'];

export const letsHappen = ({ type }: Decision): boolean => LETS.includes(type);

/** A call that may happen again. `digest`: of the question that the person approved. */
export async function recordedCall(
  { tool, args, digest }: { tool: string; args: Record<string, unknown>; digest: string | null },
  shell: PlacesOnDisk | null,
): Promise<RecordedCall> {
  const suggested =
    shell === null ? null : await withPrograms(shell, [], (known) => suggestRules({ tool, args }, known));
  // The narrowest comes first.
  return { tool, about: aboutCall({ tool, args }), matches: suggested?.matches.slice(0, 1) ?? [], digest };
}

/** What an attended run did: the calls that the person approved, and those that reached outside the thread without asking. */
export async function recordRun(
  { messages }: Pick<ThreadState, 'messages'>,
  approved: RoutineRun['approved'],
  shell: PlacesOnDisk | null,
): Promise<RecordedCall[]> {
  const answers = new Map(approved.map((one) => [one.callId, one]));
  let recorded: RecordedCall[] = [];
  for (const message of messages) {
    if (message.role !== 'agent') continue;
    for (const { callId, name: tool, args, unasked } of message.calls) {
      const answer = answers.get(callId);
      if (answer !== undefined)
        recorded = withCall(
          recorded,
          await recordedCall({ tool, args: answer.args, digest: answer.digest }, shell),
        );
      else if (unasked !== undefined)
        recorded = withCall(recorded, { tool, about: aboutCall({ tool, args }), matches: [], digest: null });
    }
  }
  return recorded;
}

/** The record with one more call, each once. */
export function withCall(calls: readonly RecordedCall[], added: RecordedCall): RecordedCall[] {
  const same = calls.find((one) => isSame(one, added));
  if (same === undefined) return [...calls, added];
  // What the person approved says more than what ran without asking.
  const kept = { ...added, matches: added.matches.length > 0 ? added.matches : same.matches };
  return calls.map((one) => (one === same ? { ...kept, digest: added.digest ?? same.digest } : one));
}

const isSame = (a: RecordedCall, b: RecordedCall) =>
  a.tool === b.tool &&
  a.about === b.about &&
  (a.digest === null || b.digest === null || a.digest === b.digest);
