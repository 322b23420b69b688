import type { ToolMessage } from '@langchain/core/messages';
import type { Verdict } from '../../../approvals/gate';
import { alwaysAsks } from '../../../approvals/rehearsal';
import type { Decision } from '../../../contract/approvals';
import type { Outcome, RehearsedCall } from '../../../contract/outcome';
import type { Reason } from '../../../contract/shared/reasons';
import type { ToolArtifact } from '../../../harness/tools/define-tool';
import type { CommandResult, KeepAnswer } from '../../project/rehearsals/rehearsals';
import type { StoredResult } from '../../threads/journal';
import { isAnswer } from './read-only-attempt';

/** The layers of one thread's calls. */
export interface CallRehearsals {
  /** From now on, the call's command runs in a layer. `asksForTime`: see `CallLayers`. */
  mark(callId: string, asksForTime: boolean): void;
  /** Reverts `mark`; deletes a layer without a pending approval. */
  unmark(callId: string): Promise<void>;
  finish(callId: string, ran: CommandResult): Promise<{ outcome: Outcome } | { failed: Reason }>;
  /** The command's output for the model. */
  resultOf(callId: string): Promise<{ content: string; exitCode: number | null } | null>;
  keep(callId: string, decision: Pick<KeepDecision, 'paths' | 'except' | 'hunks'>): Promise<KeepAnswer>;
  /** Keeps all changes, and records that nobody was asked about them. */
  keepAutoApproved(callId: string): Promise<KeepAnswer>;
  discard(callId: string): Promise<void>;
}

type Kept = Extract<KeepAnswer, { status: 'kept' }>;
type KeepDecision = Extract<Decision, { type: 'keep' }>;

/** The result of a rehearsal, or of a decision on one. */
export type Rehearsed =
  /** Finished. `note` precedes the command's output. */
  | {
      end: 'result';
      note: string;
      told: RehearsedCall;
      result?: { content: string; exitCode: number | null };
      /** Milliseconds that its command took; absent if the outcome has it. */
      durationMs?: number;
    }
  /** The person is asked, possibly again. */
  | { end: 'ask'; outcome: Outcome }
  /** Judged as without layers. */
  | { end: 'not-rehearsed'; why: Reason };

/** Maximum number of paths reported to the model. */
const MAX_TOLD = 50;
const UNCHANGED = '[This ran in a throwaway layer without network. It changed no file.]';
const PLANNED =
  '[plan mode: this ran in a throwaway layer without network. Nothing of what it changed was kept.]';
const ALL_KEPT =
  '[This ran in a throwaway layer without network. All that it changed is kept in the folder.]';

/** Handles a command that has just run in a layer: most do not need a decision. */
export async function afterRehearsal(
  rehearsals: CallRehearsals,
  callId: string,
  { message, judged }: { message: ToolMessage; judged: Verdict },
): Promise<Rehearsed> {
  const { exitCode = null, timedOut = false } = (message.artifact ?? {}) as ToolArtifact;
  const done = await rehearsals.finish(callId, { content: message.text, exitCode, timedOut });
  if ('failed' in done) return { end: 'not-rehearsed', why: done.failed };
  const { outcome } = done;
  const came = await decideAlone(rehearsals, callId, { message, judged, outcome });
  return came.end === 'result' ? { ...came, durationMs: outcome.durationMs } : came;
}

async function decideAlone(
  rehearsals: CallRehearsals,
  callId: string,
  { message, judged, outcome }: { message: ToolMessage; judged: Verdict; outcome: Outcome },
): Promise<Rehearsed> {
  if (judged.verdict !== 'allow' || judged.rehearsal === undefined)
    throw new Error('It was not to be rehearsed.');
  const { exitCode, rows, git = [], refused, limit } = outcome;
  const isUnchanged = rows.length === 0 && git.length === 0;
  if (judged.rehearsal === 'nothing') {
    await rehearsals.discard(callId);
    const state = isUnchanged ? 'unchanged' : 'discarded';
    return { end: 'result', note: isUnchanged ? UNCHANGED : PLANNED, told: { state, paths: 0 } };
  }
  if (refused.length > 0 || limit !== undefined) return { end: 'ask', outcome };
  if (isUnchanged) {
    // The layer may have caused an unclear failure.
    if (!isAnswer(exitCode, message.text, judged))
      return { end: 'ask', outcome: { ...outcome, refused: [{ what: 'permission', name: '' }] } };
    await rehearsals.discard(callId);
    return { end: 'result', note: UNCHANGED, told: { state: 'unchanged', paths: 0 } };
  }
  return keepsAlone(outcome, judged.rehearsal)
    ? keepAll(rehearsals, callId, outcome)
    : { end: 'ask', outcome };
}

/** Whether a command's changes do not need approval. */
function keepsAlone(outcome: Outcome, keeps: 'ignored' | 'rules'): boolean {
  const { rows, git = [], more } = outcome;
  if (alwaysAsks(outcome)) return false;
  if ([...rows, ...git].some(({ conflict }) => conflict === true)) return false;
  if (keeps === 'rules') return true;
  return git.length === 0 && more === undefined && rows.every(({ ignored }) => ignored);
}

async function keepAll(rehearsals: CallRehearsals, callId: string, outcome: Outcome): Promise<Rehearsed> {
  const kept = await rehearsals.keepAutoApproved(callId);
  if (kept.status === 'conflict' || kept.status === 'failed') return { end: 'ask', outcome: kept.outcome };
  if (kept.status === 'lost') return { end: 'ask', outcome: { ...outcome, lost: true } };
  const isIgnored = outcome.rows.every(({ ignored }) => ignored) && outcome.git === undefined;
  const told: RehearsedCall = { state: isIgnored ? 'kept_ignored' : 'kept', paths: filesOf(kept) };
  return { end: 'result', note: ALL_KEPT, told };
}

/** Keeps what the person chose. */
export async function keepDecided(
  rehearsals: CallRehearsals,
  callId: string,
  outcome: Outcome,
  decision: KeepDecision,
): Promise<Rehearsed> {
  // The approval is bound to the manifest too: this catches a window that shows another outcome.
  if (decision.manifest !== outcome.manifest) return { end: 'ask', outcome };
  const kept = await rehearsals.keep(callId, decision);
  if (kept.status === 'conflict' || kept.status === 'failed') return { end: 'ask', outcome: kept.outcome };
  if (kept.status === 'lost') return { end: 'ask', outcome: { ...outcome, lost: true } };
  return keptResult(kept);
}

/** A keep that a kill interrupted counts folders too. */
const filesOf = ({ files, paths }: Kept): number => files ?? paths.length;

/** The result of a call whose outcome the person kept, all or in part. */
export function keptResult(kept: Kept): Extract<Rehearsed, { end: 'result' }> {
  const { paths, isAll, result } = kept;
  const files = filesOf(kept);
  if (isAll) return { end: 'result', note: ALL_KEPT, told: { state: 'kept', paths: files }, result };
  const names = paths.slice(0, MAX_TOLD).join(', ');
  const more = paths.length > MAX_TOLD ? ` and ${paths.length - MAX_TOLD} more` : '';
  const what = paths.length === 0 ? 'nothing' : `only a part of it, in: ${names}${more}`;
  const note = `[This ran in a throwaway layer without network. The person kept ${what}. Everything else that it changed is discarded.]`;
  return { end: 'result', note, told: { state: 'kept_in_part', paths: files }, result };
}

/** The result of a call whose outcome the person discarded. */
export function discardedResult(printed: string | undefined, message: string | undefined): StoredResult {
  const why = message ? ` The person said: ${message}` : '';
  const note = `[This ran in a throwaway layer. The person discarded what it changed: nothing of it is in the folder.${why}]`;
  return { content: printed === undefined ? note : `${note}\n${printed}`, status: 'error' };
}
