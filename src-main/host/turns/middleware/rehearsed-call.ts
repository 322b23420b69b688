import type { ToolMessage } from '@langchain/core/messages';
import type { Verdict } from '../../../approvals/gate';
import type { Decision } from '../../../contract/conversation';
import type { Outcome, RehearsedCall } from '../../../contract/outcome';
import type { ToolArtifact } from '../../../harness/tools/define-tool';
import type { CommandResult, KeepAnswer } from '../../project/rehearsals';
import type { StoredResult } from '../../threads/journal';
import { isAnswer } from './read-only-attempt';

/** The layers of one thread's calls. */
export interface CallRehearsals {
  /** From now on, what the call runs is run in a layer. */
  mark(callId: string): void;
  /** Not any more; a layer that nobody was asked about goes. */
  unmark(callId: string): Promise<void>;
  finish(callId: string, ran: CommandResult): Promise<{ outcome: Outcome } | { failed: string }>;
  /** What the command printed, as the model is told. */
  resultOf(callId: string): Promise<{ content: string; exitCode: number | null } | null>;
  keep(callId: string, decision: Pick<KeepDecision, 'paths' | 'hunks'>): Promise<KeepAnswer>;
  discard(callId: string): Promise<void>;
}

type KeepDecision = Extract<Decision, { type: 'keep' }>;

/** What came of a rehearsal, or of a decision on one. */
export type Rehearsed =
  /** It is through. `note` goes before what the command printed. */
  | {
      end: 'result';
      note: string;
      told: RehearsedCall;
      result?: { content: string; exitCode: number | null };
    }
  /** The person is asked, also again. */
  | { end: 'ask'; outcome: Outcome }
  /** It is judged as where there are no layers. */
  | { end: 'not-rehearsed'; why: string };

/** Paths that the model is told. */
const MAX_TOLD = 50;
const UNCHANGED = '[This ran in a throwaway layer without network. It changed no file.]';
const PLANNED =
  '[plan mode: this ran in a throwaway layer without network. Nothing of what it changed was kept.]';
const ALL_KEPT =
  '[This ran in a throwaway layer without network. All that it changed is kept in the folder.]';

/** What becomes of a command that just ran in a layer: most need no decision. */
export async function afterRehearsal(
  rehearsals: CallRehearsals,
  callId: string,
  { message, judged, durationMs }: { message: ToolMessage; judged: Verdict; durationMs: number },
): Promise<Rehearsed> {
  if (judged.verdict !== 'allow' || judged.rehearsal === undefined)
    throw new Error('It was not to be rehearsed.');
  const { exitCode = null, timedOut = false } = (message.artifact ?? {}) as ToolArtifact;
  const done = await rehearsals.finish(callId, { content: message.text, exitCode, timedOut, durationMs });
  if ('failed' in done) return { end: 'not-rehearsed', why: done.failed };
  const { outcome } = done;
  const { rows, git = [], refused, limit } = outcome;
  const isUnchanged = rows.length === 0 && git.length === 0;
  if (judged.rehearsal === 'nothing') {
    await rehearsals.discard(callId);
    const state = isUnchanged ? 'unchanged' : 'discarded';
    return { end: 'result', note: isUnchanged ? UNCHANGED : PLANNED, told: { state, paths: 0 } };
  }
  if (refused.length > 0 || limit !== undefined) return { end: 'ask', outcome };
  if (isUnchanged) {
    // The layer may be behind a failure that says nothing.
    if (!isAnswer(exitCode, message.text, judged))
      return { end: 'ask', outcome: { ...outcome, refused: [{ what: 'permission', name: '' }] } };
    await rehearsals.discard(callId);
    return { end: 'result', note: UNCHANGED, told: { state: 'unchanged', paths: 0 } };
  }
  return keepsAlone(outcome, judged.rehearsal)
    ? keepAll(rehearsals, callId, outcome)
    : { end: 'ask', outcome };
}

/** Whether nobody has to be asked about what a command changed. */
function keepsAlone({ rows, git = [], more }: Outcome, keeps: 'ignored' | 'rules'): boolean {
  if (rows.some((row) => row.protected === true || row.conflict === true)) return false;
  if (keeps === 'ignored')
    return git.length === 0 && more === undefined && rows.every(({ ignored }) => ignored);
  return git.every(({ facts }) => facts.every(({ what }) => !OBEYED.has(what)));
}

/** Of a `.git`: other programs run or obey it, or the repository is gone. */
const OBEYED: ReadonlySet<string> = new Set(['created', 'deleted', 'config', 'hooks']);

async function keepAll(rehearsals: CallRehearsals, callId: string, outcome: Outcome): Promise<Rehearsed> {
  const kept = await rehearsals.keep(callId, {});
  if (kept.status === 'conflict') return { end: 'ask', outcome: kept.outcome };
  if (kept.status === 'lost') return { end: 'ask', outcome: { ...outcome, lost: true } };
  const isIgnored = outcome.rows.every(({ ignored }) => ignored) && outcome.git === undefined;
  const told: RehearsedCall = { state: isIgnored ? 'kept_ignored' : 'kept', paths: kept.paths.length };
  return { end: 'result', note: ALL_KEPT, told };
}

/** Carries out what the person decided to keep. */
export async function keepDecided(
  rehearsals: CallRehearsals,
  callId: string,
  outcome: Outcome,
  decision: KeepDecision,
): Promise<Rehearsed> {
  // The question is bound to it as well: this catches a window that shows another outcome.
  if (decision.manifest !== outcome.manifest) return { end: 'ask', outcome };
  const kept = await rehearsals.keep(callId, decision);
  if (kept.status === 'conflict') return { end: 'ask', outcome: kept.outcome };
  if (kept.status === 'lost') return { end: 'ask', outcome: { ...outcome, lost: true } };
  const { paths, isAll, result } = kept;
  if (isAll) return { end: 'result', note: ALL_KEPT, told: { state: 'kept', paths: paths.length }, result };
  const names = paths.slice(0, MAX_TOLD).join(', ');
  const more = paths.length > MAX_TOLD ? ` and ${paths.length - MAX_TOLD} more` : '';
  const what = paths.length === 0 ? 'nothing' : `only a part of it, in: ${names}${more}`;
  const note = `[This ran in a throwaway layer without network. The person kept ${what}. Everything else that it changed is discarded.]`;
  return { end: 'result', note, told: { state: 'kept_in_part', paths: paths.length }, result };
}

/** The result of a call whose outcome the person discarded. */
export function discardedResult(printed: string | undefined, message: string | undefined): StoredResult {
  const why = message ? ` The person said: ${message}` : '';
  const note = `[This ran in a throwaway layer. The person discarded what it changed: nothing of it is in the folder.${why}]`;
  return { content: printed === undefined ? note : `${note}\n${printed}`, status: 'error' };
}
