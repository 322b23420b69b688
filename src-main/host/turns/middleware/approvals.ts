import { ToolMessage } from '@langchain/core/messages';
import { type Command, isGraphInterrupt } from '@langchain/langgraph';
import { createMiddleware, type ToolCallHandler, type ToolCallRequest } from 'langchain';
import { englishForModel } from '../../../../src-renderer/i18n/english';
import { digestOf } from '../../../approvals/digest';
import type { CallPast, GateCall, Verdict } from '../../../approvals/gate';
import type { Decision } from '../../../contract/approvals';
import { optional } from '../../../contract/shared/optional';
import { because, type Reason, type Reasons } from '../../../contract/shared/reasons';
import { allowManyListeners } from '../../../harness/agent/many-listeners';
import { JudgedOtherwise, withStartCheck } from '../../../harness/agent/start-check';
import {
  type Remains,
  STOPPED_BY_PERSON,
  StoppedByPerson,
  withRemains,
} from '../../../harness/agent/stopped';
import { delegates, descriptorOf, runsCommand } from '../../../harness/tools/catalogue';
import { lastCheck, MAX_ROUNDS } from '../../approvals/last-check';
import type { StoredResult } from '../../threads/journal';
import type { ToolEnd } from '../agent-observer';
import { resultOfRejection, resultOfResponse } from '../answers';
import { loadDownloads } from '../messages/outside-context';
import { askPerson } from './ask-person';
import {
  addNote,
  failureIn,
  mediaIn,
  noteOnLayer,
  replay,
  storedResult,
  toolMessageOf,
} from './call-results';
import type { ApprovalOptions, Running, Step } from './call-steps';
import { malformedCall } from './normalize-calls';
import { OutcomeSteps } from './outcome-steps';
import { attemptIn, noteOnAttempt } from './read-only-attempt';
import { noteOnPath, noteOnScratch } from './root-paths';
import { misfit, unusableResult } from './unusable-calls';

/**
 * Every tool call passes through here: it is judged, asks if necessary, is journaled if it reaches outside the thread, and
 * is reported to the observer. Each call of a batch is a separate task in the graph with its own decision: approved calls
 * run, rejected ones answer the model, and finished siblings do not run again. A call that requires approval never runs
 * without an explicit decision.
 */
export function createApprovalMiddleware(options: ApprovalOptions) {
  return createMiddleware({
    name: 'approvals',
    // A sub-agent may end without another call.
    wrapModelCall: (request, handler) => {
      options.outside.of(options.agent, request.state);
      return handler(request);
    },
    wrapToolCall: (request, handler) => {
      allowManyListeners(request.runtime.signal);
      const work = new GatedCall(options, request, handler).pass();
      options.observer.working?.(work);
      return work;
    },
  });
}

/** Why a call can never run, for the person, and for the model if its words differ. */
interface Unusable {
  why: Reason;
  toModel?: Reason;
}

/** One tool call on its way through the gate. */
class GatedCall {
  private readonly call: GateCall;
  private readonly callId: string;
  private readonly signal: AbortSignal;

  constructor(
    private readonly options: ApprovalOptions,
    private readonly request: ToolCallRequest,
    private readonly handler: ToolCallHandler,
  ) {
    const { agent } = options;
    this.callId = request.toolCall.id ?? '';
    this.signal = request.runtime.signal ?? new AbortController().signal;
    this.call = {
      callId: this.callId,
      tool: request.toolCall.name,
      args: request.toolCall.args,
      ...(agent === null ? {} : { agent: agent.name }),
      ...options.outside.factsOf(agent, request.toolCall.name, request.state),
    };
  }

  async pass(): Promise<ToolMessage | Command> {
    const { call, callId, request } = this;
    const { journal } = this.options;
    const why = this.whyUnusable();
    if (why !== null) return this.unusable(why);
    const known = journal.resultOf(callId);
    // A stopped sub-agent has no report, but it may have written files in the thread.
    if (known?.content === STOPPED_BY_PERSON && delegates(call.tool)) return this.handler(request);
    if (known) return this.marked(replay(known, callId, call.tool));
    let past: CallPast = { startedBefore: journal.isUnfinished(callId) };
    for (let round = 0; round < MAX_ROUNDS; round++) {
      try {
        const { result, past: learned } = await this.judgeAndRun(past);
        if (result !== undefined) return result;
        const { again: _again, outcome: _outcome, ...before } = past;
        past = { ...before, ...learned };
      } catch (error) {
        // Judge it again in its present state.
        if (!(error instanceof JudgedOtherwise)) throw error;
      }
    }
    return (await this.refused([because('keeps_changing')])).result;
  }

  /** Why the call can never run, so that nobody is asked; null if it can. */
  private whyUnusable(): Unusable | null {
    const { tool, state } = this.request;
    if (tool === undefined) return { why: because('tool_unknown') };
    const malformed = malformedCall(state.messages, this.callId);
    if (malformed !== undefined)
      return {
        why: because('arguments_broken_json'),
        toModel: because('arguments_not_json', { detail: malformed }),
      };
    const wrong = misfit(tool, this.call.args);
    if (wrong === null) return null;
    const { why, detail } = wrong;
    return { why: because('arguments_wrong', { why }), toModel: because('arguments_misfit', { detail }) };
  }

  /** The model learns immediately what to correct. */
  private async unusable({ why, toModel = why }: Unusable): Promise<ToolMessage> {
    const content = `Error: ${this.call.tool} was not run: ${englishForModel.sentences([toModel])}`;
    await this.ended({ status: 'failed', text: content, durationMs: 0, refused: [why] });
    return unusableResult(this.call, content);
  }

  private async judgeAndRun(past: CallPast): Promise<Step> {
    const { call, signal } = this;
    const { gate, refusal, denied } = this.options;
    const verdict = await gate.judge(call, signal, past);
    await this.options.observer.maySave?.(signal);
    // Stopped in the meantime: start nothing and ask nobody.
    signal.throwIfAborted();
    if (verdict.verdict === 'deny') return this.refused(verdict.reason);
    const useless = (await refusal?.(call, signal)) ?? null;
    signal.throwIfAborted();
    if (useless !== null) return this.refused([useless.why], useless.toModel);
    // Before the person is asked about a call that would be denied anyway.
    const hooked = (await denied?.(call, signal)) ?? null;
    signal.throwIfAborted();
    if (hooked !== null) return this.refused(hooked);
    if (verdict.verdict === 'ask') return this.decided(verdict, past);
    const { outside, looks = false, reason, ruleId } = verdict;
    if (!outside && !looks) return this.run({ outside: false, judged: verdict, past });
    const trace = { asked: false, reason, outside, ...optional({ ruleId }) } as const;
    return this.run({ outside, trace, judged: verdict, past });
  }

  private async decided(verdict: Verdict & { verdict: 'ask' }, past: CallPast): Promise<Step> {
    const { agent, observer, approvedVersions } = this.options;
    const { question } = verdict;
    const { decision, fileVersion } = askPerson(this.call, question, agent, observer);
    if (question.outcome !== undefined)
      return this.outcomes.decided(verdict, question.outcome, decision, past);
    switch (decision.type) {
      case 'reject': {
        const content = resultOfRejection(question, decision.message);
        this.settle(this.call, { content, status: 'error' });
        return { result: await this.answer(content, 'error', 'rejected') };
      }
      case 'respond': {
        const content = resultOfResponse(question, decision.text);
        this.settle(this.call, { content, status: 'success' });
        return { result: await this.answer(content, 'success', 'done') };
      }
      case 'approve':
        if (fileVersion !== undefined) approvedVersions.set(this.callId, fileVersion);
        // Its outcome requires approval like any other.
        if (question.thenRehearse) return { past: { again: true } };
        return this.run({ outside: true, trace: { asked: true }, judged: verdict, past });
      case 'edit':
        return this.edited(decision);
      case 'keep':
      case 'discard':
      case 'run':
      case 'wait':
      case 'again':
        return this.refused([because('no_outcome')]);
      default:
        return decision satisfies never;
    }
  }

  /** The steps after a decision on an outcome, or after a rehearsal. */
  private get outcomes(): OutcomeSteps {
    return new OutcomeSteps(this.options, this.call, this.signal, {
      run: (running) => this.run(running),
      settle: (stored) => this.settle(this.call, stored),
      answer: (content, status, end) => this.answer(content, status, end),
      noOutcome: () => this.refused([because('no_outcome')]),
    });
  }

  /** Edited arguments are judged again: a denied path stays denied, but the person is not asked twice. */
  private async edited({ args }: Extract<Decision, { type: 'edit' }>): Promise<Step> {
    const { call, signal, callId } = this;
    const { gate, approvedVersions } = this.options;
    const { tool } = this.request;
    const off = tool === undefined ? null : misfit(tool, args);
    if (off !== null)
      return this.refused([
        because('not_run', { tool: call.tool, why: because('edited_arguments_wrong', { why: off.why }) }),
      ]);
    const past = { answered: true };
    const judged = await gate.judge({ ...call, args }, signal, past);
    signal.throwIfAborted();
    if (judged.verdict === 'deny') return this.refused(judged.reason);
    if (judged.verdict === 'ask' && judged.question.fileVersion !== undefined)
      approvedVersions.set(callId, judged.question.fileVersion);
    const note = `[The person changed the arguments before this ran: ${JSON.stringify(args)}]`;
    try {
      return await this.run({ args, outside: true, note, trace: { asked: true, args }, judged, past });
    } catch (error) {
      // Judging the same edit again would run whatever is there now.
      if (error instanceof JudgedOtherwise) return this.refused([because('changed_after_edit')]);
      throw error;
    }
  }

  /**
   * Settle it even if the person had allowed it: the decision is used up, and a turn with other pending calls would
   * otherwise pass it to the graph repeatedly.
   */
  private async refused(
    reasons: Reasons,
    toModel = englishForModel.sentences(reasons),
  ): Promise<{ result: ToolMessage }> {
    const content = `Error: ${toModel}`;
    this.settle(this.call, { content, status: 'error' });
    return { result: await this.answer(content, 'error', 'failed', reasons) };
  }

  /** Runs the call exactly once if it has outside effects, even across kills. */
  private async run(running: Running): Promise<Step> {
    const { callId } = this;
    const { journal, agent, observer, approvedVersions, rehearsals } = this.options;
    const longer = running.past.again === 'longer' ? { args: { ...this.call.args, timeout: 0 } } : {};
    const { args = this.call.args, outside, note = '', trace, judged } = { ...longer, ...running };
    const layers = judged.verdict === 'allow' && judged.rehearsal !== undefined ? rehearsals : undefined;
    const isAttempt = judged.verdict === 'allow' && judged.confined === 'read-only';
    // An attempt has no effect, so a kill during it leaves nothing to ask about.
    const isJournalled = outside && !isAttempt;
    await observer.maySave?.(this.signal);
    this.signal.throwIfAborted();
    if (isJournalled) {
      journal.begin(callId, digestOf({ ...this.call, args }, '', undefined));
      await journal.onDisk?.();
    }
    const startedAt = performance.now();
    const duration = () => performance.now() - startedAt;
    const remains: Remains = {};
    observer.toolStarted(agent, callId, trace);
    try {
      layers?.mark(callId, judged.verdict === 'allow' && judged.rehearsal === 'ignored');
      const result = await withRemains(remains, () => this.start(args, running));
      await observer.maySave?.();
      const message = toolMessageOf(result, callId);
      const offline = judged.verdict === 'allow' && judged.offline === true;
      if (message !== undefined) await this.marked(message, { args, offline });
      if (layers !== undefined && message !== undefined)
        return await this.outcomes.afterRun(layers, message, judged, duration());
      if (isAttempt) {
        const attempt = message === undefined ? null : attemptIn(message, judged);
        if (attempt !== null) return { past: { attempt } };
        if (message) addNote(message, noteOnAttempt(message));
      }
      const aboutPath = noteOnPath(this.request.state.messages, callId, this.pathIn(args));
      const scratch = message?.status !== 'error' && this.writesToScratch(args);
      const { files } = this.request.state;
      const aboutScratch = scratch ? noteOnScratch(this.call.tool, this.pathIn(args), files) : '';
      for (const text of [note, noteOnLayer(judged), aboutPath, aboutScratch])
        if (message && text !== '') addNote(message, text);
      const stored = storedResult(message);
      const media = mediaIn(message);
      if (isJournalled) journal.finish(callId, stored);
      const failed = stored.content === STOPPED_BY_PERSON ? 'cancelled' : 'failed';
      await this.ended({
        status: stored.status === 'success' ? 'done' : failed,
        text: stored.content,
        durationMs: duration(),
        ...optional({ exitCode: stored.exitCode, failure: failureIn(message) }),
        ...(scratch && stored.status === 'success' ? { scratch: true as const } : {}),
        ...(media.length === 0 ? {} : { media }),
      });
      return { result };
    } catch (error) {
      return await this.failed(error, { args, isJournalled, remains, duration });
    } finally {
      await layers?.unmark(callId);
      approvedVersions.delete(callId);
    }
  }

  private writesToScratch(args: Record<string, unknown>): boolean {
    const path = this.pathIn(args);
    const isWrite = descriptorOf(this.call.tool)?.path?.operation === 'write';
    return isWrite && typeof path === 'string' && this.options.isInScratch?.(path) === true;
  }

  private pathIn(args: Record<string, unknown>): unknown {
    const { path } = descriptorOf(this.call.tool) ?? {};
    return path === undefined ? undefined : args[path.argument];
  }

  /** Marks a result with where its text came from. */
  private async marked(
    message: ToolMessage,
    { args = this.call.args, offline = false }: { args?: Record<string, unknown>; offline?: boolean } = {},
  ): Promise<ToolMessage> {
    const { agent, outside } = this.options;
    await outside.mark(agent, { ...this.call, args }, message, this.request.state, { offline });
    return message;
  }

  /** Runs the tool, with the last check before its command starts. */
  private async start(
    args: Record<string, unknown>,
    { judged, past }: Running,
  ): Promise<ToolMessage | Command> {
    const { call, request } = this;
    if (runsCommand(call.tool)) await loadDownloads();
    this.options.outside.starts(this.options.agent, { ...call, args }, request.state);
    const work = async () => this.handler({ ...request, toolCall: { ...request.toolCall, args } });
    const check = lastCheck(this.options.gate, { call: { ...call, args }, past, judged }, this.signal);
    return runsCommand(call.tool) ? withStartCheck(check, work) : work();
  }

  /** Handles an error of the tool. Rethrows if the graph or another round must handle it. */
  private async failed(
    error: unknown,
    run: { args: Record<string, unknown>; isJournalled: boolean; remains: Remains; duration: () => number },
  ): Promise<Step> {
    const { call, callId, signal } = this;
    const { journal } = this.options;
    if (error instanceof JudgedOtherwise) {
      if (run.isJournalled) journal.forget(callId);
      throw error;
    }
    // A sub-agent asks for approval: its call keeps waiting.
    if (isGraphInterrupt(error)) throw error;
    await this.options.observer.maySave?.();
    if (signal.aborted) {
      // When Deepdesk is closing, the call is asked about again instead.
      const left = signal.reason instanceof StoppedByPerson ? ((await run.remains.text) ?? null) : null;
      // The graph accepts no more results: the journal passes it to the model when the thread continues.
      if (left !== null) {
        const printed = { content: left, status: 'error', exitCode: null } as const;
        const message = await this.marked(replay(printed, callId, call.tool), { args: run.args });
        this.settle({ ...call, args: run.args }, storedResult(message));
      }
      const text = left ?? 'Stopped before it finished.';
      await this.ended({ status: 'cancelled', text, durationMs: run.duration() });
      throw error;
    }
    const content = `Error: ${call.tool} failed: ${error instanceof Error ? error.message : String(error)}`;
    // An error may quote what came from outside.
    const result = await this.marked(replay({ content, status: 'error' }, callId, call.tool), {
      args: run.args,
    });
    if (run.isJournalled) journal.finish(callId, storedResult(result));
    await this.ended({ status: 'failed', text: content, durationMs: run.duration() });
    return { result };
  }

  /** A decision is stored like a result, so that it is never requested again. */
  private settle(settled: GateCall, result: StoredResult): void {
    const { journal } = this.options;
    journal.begin(this.callId, digestOf(settled, '', undefined));
    journal.finish(this.callId, result);
  }

  private async answer(
    content: string,
    status: 'success' | 'error',
    end: ToolEnd['status'],
    refused?: Reasons,
  ) {
    await this.ended({ status: end, text: content, durationMs: 0, ...optional({ refused }) });
    const fields = { content, status, name: this.call.tool, tool_call_id: this.callId };
    return new ToolMessage(refused === undefined ? fields : { ...fields, artifact: { refused } });
  }

  private async ended(end: ToolEnd): Promise<void> {
    const { observer, agent } = this.options;
    await observer.toolEnded(agent, this.callId, end);
  }
}
