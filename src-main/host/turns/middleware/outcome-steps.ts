import type { ToolMessage } from '@langchain/core/messages';
import { digestOf } from '../../../approvals/digest';
import type { CallPast, GateCall, Verdict } from '../../../approvals/gate';
import type { Decision } from '../../../contract/approvals';
import type { Outcome } from '../../../contract/outcome';
import { optional } from '../../../contract/shared/optional';
import { JudgedOtherwise } from '../../../harness/agent/start-check';
import type { StoredResult } from '../../threads/journal';
import type { ToolEnd } from '../agent-observer';
import { addNote, replay, storedResult } from './call-results';
import type { ApprovalOptions, Running, Step } from './call-steps';
import {
  afterRehearsal,
  type CallRehearsals,
  discardedResult,
  keepDecided,
  type Rehearsed,
} from './rehearsed-call';

/** What a decision about a call's outcome can lead to. */
interface CallWays {
  run(running: Running): Promise<Step>;
  settle(stored: StoredResult): void;
  answer(content: string, status: 'success' | 'error', end: ToolEnd['status']): Promise<ToolMessage>;
  /** There is no outcome to decide on. */
  noOutcome(): Promise<Step>;
}

/** Handles calls whose commands ran in a throwaway layer. */
export class OutcomeSteps {
  private readonly callId: string;

  constructor(
    private readonly options: ApprovalOptions,
    private readonly call: GateCall,
    private readonly signal: AbortSignal,
    private readonly ways: CallWays,
  ) {
    this.callId = call.callId;
  }

  /** The command has just run in its layer. */
  async afterRun(
    rehearsals: CallRehearsals,
    message: ToolMessage,
    judged: Verdict,
    durationMs: number,
  ): Promise<Step> {
    const { journal } = this.options;
    // A kill during an automatic keep leaves a pending approval, and never runs the command twice.
    journal.begin(this.callId, digestOf(this.call, '', undefined));
    await journal.onDisk?.();
    const came = await afterRehearsal(rehearsals, this.callId, { message, judged });
    if (came.end !== 'result') journal.forget(this.callId);
    return this.became(came, durationMs, message);
  }

  /** The person decided on its changes. */
  async decided(
    verdict: Verdict & { verdict: 'ask' },
    outcome: Outcome,
    decision: Decision,
    past: CallPast,
  ): Promise<Step> {
    const { rehearsals, observer, agent } = this.options;
    const { callId, ways } = this;
    if (rehearsals === undefined) return ways.noOutcome();
    switch (decision.type) {
      case 'keep':
        observer.toolStarted(agent, callId, { asked: true });
        return this.became(await keepDecided(rehearsals, callId, outcome, decision), outcome.durationMs);
      case 'discard':
      case 'reject':
        return this.discarded(rehearsals, decision.message);
      case 'respond':
        await rehearsals.discard(callId);
        ways.settle({ content: decision.text, status: 'success' });
        observer.rehearsed?.(agent, callId, { state: 'discarded', paths: 0 });
        return { result: await ways.answer(decision.text, 'success', 'done') };
      case 'approve':
      case 'run':
        return this.ran(rehearsals, verdict, decision.type === 'run' ? { ...past, forReal: true } : past);
      case 'wait':
      case 'again':
        await rehearsals.discard(callId);
        return { past: { again: decision.type === 'wait' ? 'longer' : true } };
      case 'edit':
        return ways.noOutcome();
      default:
        return decision satisfies never;
    }
  }

  private async discarded(rehearsals: CallRehearsals, message: string | undefined): Promise<Step> {
    const { observer, agent } = this.options;
    const { callId, ways } = this;
    const printed = await rehearsals.resultOf(callId);
    const stored = discardedResult(printed?.content, message);
    ways.settle(stored);
    await rehearsals.discard(callId);
    observer.rehearsed?.(agent, callId, { state: 'discarded', paths: 0 });
    return { result: await ways.answer(stored.content, 'error', 'rejected') };
  }

  /** Runs for real: its changes in the layer are no longer needed. */
  private async ran(
    rehearsals: CallRehearsals,
    verdict: Verdict & { verdict: 'ask' },
    past: CallPast,
  ): Promise<Step> {
    const { observer, agent, gate } = this.options;
    // The last verdict decides where it runs.
    const judged = past.forReal === true ? await gate.judge(this.call, this.signal, past) : verdict;
    this.signal.throwIfAborted();
    if (judged.verdict !== 'ask') return { past: {} };
    if (judged.question.digest !== verdict.question.digest) throw new JudgedOtherwise();
    observer.rehearsed?.(agent, this.callId, { state: 'ran', paths: 0 });
    const step = await this.ways.run({ outside: true, trace: { asked: true }, judged, past });
    await rehearsals.discard(this.callId);
    return step;
  }

  /** `printed`: the output of this run; else it is read from the layer's folder. */
  private async became(came: Rehearsed, durationMs: number, printed?: ToolMessage): Promise<Step> {
    const { observer, agent, rehearsals } = this.options;
    const { callId, call, ways } = this;
    if (came.end === 'ask') return { past: { outcome: came.outcome } };
    if (came.end === 'not-rehearsed') return { past: { notRehearsed: came.why } };
    const { content = '', exitCode = null } = came.result ?? {};
    const status = exitCode === 0 ? 'success' : 'error';
    const message = printed ?? replay({ content, exitCode, status }, callId, call.tool);
    addNote(message, came.note);
    const stored = storedResult(message);
    ways.settle(stored);
    observer.rehearsed?.(agent, callId, came.told);
    await observer.toolEnded(agent, callId, {
      status: stored.status === 'success' ? 'done' : 'failed',
      text: stored.content,
      durationMs: came.durationMs ?? durationMs,
      ...optional({ exitCode: stored.exitCode }),
    });
    await rehearsals?.discard(callId);
    return { result: message };
  }
}
