import { ToolMessage } from '@langchain/core/messages';
import { type Command, interrupt, isCommand, isGraphInterrupt } from '@langchain/langgraph';
import { createMiddleware, type ToolCallHandler, type ToolCallRequest } from 'langchain';
import {
  type CallPast,
  digestOf,
  type Gate,
  type GateCall,
  type Question,
  type Verdict,
} from '../../../approvals/gate';
import { type Attempt, Decision } from '../../../contract/conversation';
import { type Media, mediaOf } from '../../../contract/media';
import type { ToolArtifact } from '../../tools/define-tool';
import type { CallJournal, StoredResult } from '../journal';
import { allowManyListeners } from '../many-listeners';
import type { AgentObserver, AgentRef, CallTrace, ToolEnd } from '../observer';
import { JudgedOtherwise, withStartCheck } from '../start-check';
import { type Remains, STOPPED_BY_PERSON, StoppedByPerson, withRemains } from '../stopped';
import { misfit, unusableResult } from '../unusable-calls';
import { malformedCall } from './normalise-calls';

/** What a waiting call hands to whoever resumes it. */
export interface ApprovalInterrupt {
  callId: string;
  tool: string;
  args: Record<string, unknown>;
  agent?: string;
  question: Question;
}

/** What it is resumed with. `fileVersion` and `digest` are those that the person saw. */
export interface ApprovalResume {
  decision: Decision;
  digest?: string;
  fileVersion?: string;
}

export interface ApprovalOptions {
  agent: AgentRef;
  gate: Gate;
  journal: CallJournal;
  observer: AgentObserver;
  /** Versions of files that approved calls are bound to, by call id; the write tools read it. */
  approvedVersions: Map<string, string>;
  /** Why a call that is not denied would be of no use, so that nobody is asked; null where nothing is known against it. */
  refusal?: (call: GateCall, signal: AbortSignal) => Promise<string | null>;
}

const TASK = 'task';

const text = (message: ToolMessage) => (typeof message.content === 'string' ? message.content : message.text);

/**
 * Every tool call passes here: judged, asked where needed, journalled where it reaches outside the thread, and told to
 * the observer. Each call of a batch is a task of its own in the graph, so each is decided on its own: what is approved
 * runs, what is rejected answers the model, and siblings that finished are not run again. Nothing runs without an
 * explicit decision where one is asked.
 */
export function createApprovalMiddleware(options: ApprovalOptions) {
  const { agent, gate, journal, observer, approvedVersions } = options;

  return createMiddleware({
    name: 'approvals',
    wrapToolCall: (request, handler) => {
      allowManyListeners(request.runtime.signal);
      const work = pass(request, handler);
      observer.working?.(work);
      return work;
    },
  });

  async function pass(request: ToolCallRequest, handler: ToolCallHandler): Promise<ToolMessage | Command> {
    const callId = request.toolCall.id ?? '';
    const call: GateCall = {
      callId,
      tool: request.toolCall.name,
      args: request.toolCall.args,
      ...(agent === null ? {} : { agent: agent.name }),
    };
    const signal = request.runtime.signal ?? new AbortController().signal;

    const answer = async (content: string, status: 'success' | 'error', end: ToolEnd['status']) => {
      await observer.toolEnded(agent, callId, { status: end, text: content, durationMs: 0 });
      return new ToolMessage({ content, status, name: call.tool, tool_call_id: callId });
    };

    /** An answer is kept like a result, so that a question that was answered is never asked again. */
    const settle = (settled: GateCall, result: StoredResult) => {
      journal.begin(callId, digestOf(settled, '', undefined));
      journal.finish(callId, result);
    };

    /** Nobody could run it, so nobody is asked; the model is told at once what to do better. */
    const unusable = async (why: string) => {
      const content = `Error: ${call.tool} was not run: ${why}`;
      await observer.toolEnded(agent, callId, { status: 'failed', text: content, durationMs: 0 });
      return unusableResult(call, content);
    };
    const { tool } = request;
    if (tool === undefined) return unusable('there is no tool of that name.');
    const malformed = malformedCall(request.state.messages, callId);
    if (malformed !== undefined) return unusable(`its arguments are no valid JSON (${malformed}).`);
    const wrong = misfit(tool, call.args);
    if (wrong !== null) return unusable(`its arguments do not fit (${wrong}).`);

    /** Runs the call once, whatever is killed in between where it has outside effects. */
    const run = async ({ args = call.args, outside, note = '', trace, judged, past }: Running) => {
      const isAttempt = judged.verdict === 'allow' && judged.confined === 'read-only';
      // An attempt takes no effect, so that a kill in the middle of it leaves nothing to ask about.
      const isJournalled = outside && !isAttempt;
      if (isJournalled) journal.begin(callId, digestOf({ ...call, args }, '', undefined));
      const startedAt = performance.now();
      const remains: Remains = {};
      observer.toolStarted(agent, callId, trace);
      const end = async (outcome: Omit<ToolEnd, 'durationMs'>) =>
        observer.toolEnded(agent, callId, { ...outcome, durationMs: performance.now() - startedAt });
      try {
        const work = async () => handler({ ...request, toolCall: { ...request.toolCall, args } });
        const check = async () => {
          if (!isAlike(judged, await gate.judge({ ...call, args }, signal, past)))
            throw new JudgedOtherwise();
        };
        const result = await withRemains(remains, () =>
          call.tool === 'execute' ? withStartCheck(check, work) : work(),
        );
        const message = toolMessageOf(result, callId);
        if (isAttempt) {
          const attempt = attemptIn(message, judged);
          if (attempt !== null) return { attempt };
          if (message) addNote(message, RAN_READ_ONLY);
        }
        if (message && note !== '') addNote(message, note);
        const stored = storedResult(message);
        const media = mediaIn(message);
        if (isJournalled) journal.finish(callId, stored);
        const failed = stored.content === STOPPED_BY_PERSON ? 'cancelled' : 'failed';
        await end({
          status: stored.status === 'success' ? 'done' : failed,
          text: stored.content,
          ...(stored.exitCode === undefined ? {} : { exitCode: stored.exitCode }),
          ...(media.length === 0 ? {} : { media }),
        });
        return { result };
      } catch (error) {
        if (error instanceof JudgedOtherwise) {
          if (isJournalled) journal.forget(callId);
          throw error;
        }
        // A sub-agent that asks: its call goes on waiting.
        if (isGraphInterrupt(error)) throw error;
        if (signal.aborted) {
          // When Deepdesk is closing, the call is asked about anew instead.
          const left = signal.reason instanceof StoppedByPerson ? ((await remains.text) ?? null) : null;
          // The graph takes no result any more: the journal hands it to the model when the thread goes on.
          if (left !== null) settle({ ...call, args }, { content: left, status: 'error', exitCode: null });
          await end({ status: 'cancelled', text: left ?? 'Stopped before it finished.' });
          throw error;
        }
        const content = `Error: ${call.tool} failed: ${error instanceof Error ? error.message : String(error)}`;
        if (isJournalled) journal.finish(callId, { content, status: 'error' });
        await end({ status: 'failed', text: content });
        return {
          result: new ToolMessage({ content, status: 'error', name: call.tool, tool_call_id: callId }),
        };
      } finally {
        approvedVersions.delete(callId);
      }
    };

    const known = journal.resultOf(callId);
    // A sub-agent that was stopped has no report, but what it wrote to the thread's files.
    if (known?.content === STOPPED_BY_PERSON && call.tool === TASK) return handler(request);
    if (known) return replay(known, callId, call.tool);

    const decided = async (verdict: Verdict & { verdict: 'ask' }, past: CallPast): Promise<Outcome> => {
      const { decision, fileVersion } = ask(call, verdict.question, agent, observer);
      switch (decision.type) {
        case 'reject': {
          const why = decision.message ? ` The person said: ${decision.message}` : '';
          const content = `The person rejected this call; it was not run.${why}`;
          settle(call, { content, status: 'error' });
          return { result: await answer(content, 'error', 'rejected') };
        }
        case 'respond':
          settle(call, { content: decision.text, status: 'success' });
          return { result: await answer(decision.text, 'success', 'done') };
        case 'approve': {
          if (fileVersion !== undefined) approvedVersions.set(callId, fileVersion);
          return run({ outside: true, trace: { asked: true }, judged: verdict, past });
        }
        case 'edit': {
          const refuse = async (reason: string) => {
            const content = `Error: ${reason}`;
            settle(call, { content, status: 'error' });
            return { result: await answer(content, 'error', 'failed') };
          };
          const off = misfit(tool, decision.args);
          if (off !== null) {
            return refuse(
              `${call.tool} was not run: the arguments that the person put in do not fit (${off}).`,
            );
          }
          // What the person typed is judged again: a denied place stays denied, but they need not be asked twice.
          const again = await gate.judge({ ...call, args: decision.args }, signal, { answered: true });
          signal.throwIfAborted();
          if (again.verdict === 'deny') return refuse(again.reason);
          if (again.verdict === 'ask' && again.question.fileVersion !== undefined) {
            approvedVersions.set(callId, again.question.fileVersion);
          }
          const note = `[The person changed the arguments before this ran: ${JSON.stringify(decision.args)}]`;
          const { args } = decision;
          const trace = { asked: true, args } as const;
          return run({ args, outside: true, note, trace, judged: again, past: { answered: true } });
        }
        default:
          return decision satisfies never;
      }
    };

    const judgeAndRun = async (past: CallPast): Promise<Outcome> => {
      const verdict = await gate.judge(call, signal, past);
      // Stopped meanwhile: nothing is begun and nobody is asked any more.
      signal.throwIfAborted();
      if (verdict.verdict === 'deny')
        return { result: await answer(`Error: ${verdict.reason}`, 'error', 'failed') };
      const useless = (await options.refusal?.(call, signal)) ?? null;
      signal.throwIfAborted();
      if (useless !== null) return { result: await answer(`Error: ${useless}`, 'error', 'failed') };
      if (verdict.verdict === 'allow') {
        const { outside, looks = false, reason, ruleId } = verdict;
        if (!outside && !looks) return run({ outside: false, judged: verdict, past });
        const trace = { asked: false, reason, outside, ...(ruleId === undefined ? {} : { ruleId }) } as const;
        return run({ outside, trace, judged: verdict, past });
      }
      return decided(verdict, past);
    };

    let past: CallPast = { begunBefore: journal.isUnfinished(callId) };
    for (let round = 0; round < MAX_ROUNDS; round++) {
      try {
        const { result, attempt } = await judgeAndRun(past);
        if (result !== undefined) return result;
        past = { ...past, ...(attempt === undefined ? {} : { attempt }) };
      } catch (error) {
        // It is judged again, as it is now.
        if (!(error instanceof JudgedOtherwise)) throw error;
      }
    }
    return answer(KEEPS_CHANGING, 'error', 'failed');
  }
}

interface Running {
  /** Default: as the model wrote them. */
  args?: Record<string, unknown>;
  outside: boolean;
  note?: string;
  trace?: CallTrace;
  /** What lets it run. It is judged so again just before anything is started. */
  judged: Verdict;
  past: CallPast;
}

/** A result, or what came of an attempt that is none. */
interface Outcome {
  result?: ToolMessage | Command;
  attempt?: Attempt;
}

/** How often a call is judged in one go: files that change each time must not keep it busy for ever. */
const MAX_ROUNDS = 5;
const KEEPS_CHANGING =
  'Error: it was not run: what it would run changes all the time. Wait until the files are at rest, then make the call again.';
const RAN_READ_ONLY = '[It ran read-only in the sandbox: it could write no file.]';
/** UTF-16 units of what an attempt printed that a card shows. */
const ATTEMPT_SHOWN = 4_000;

/** Whether a call would run just as it was judged before. */
function isAlike(before: Verdict, now: Verdict): boolean {
  if (before.verdict === 'ask')
    return now.verdict === 'ask' && now.question.digest === before.question.digest;
  return before.verdict === 'allow' && now.verdict === 'allow' && before.confined === now.confined;
}

/** What the person is told of a command that could not do all that it wanted; null where what came of it is a result. */
function attemptIn(message: ToolMessage | undefined, judged: Verdict): Attempt | null {
  const { exitCode = null, refused = [] } = (message?.artifact ?? {}) as ToolArtifact;
  const saysNo = exitCode === 1 && judged.verdict === 'allow' && judged.exitOneAnswers === true;
  // Without an exit code it was stopped.
  const isAnswer = exitCode === null || exitCode === 0 || saysNo;
  if (message === undefined || (refused.length === 0 && isAnswer)) return null;
  return { refused, exitCode, output: text(message).slice(-ATTEMPT_SHOWN) };
}

/**
 * Stops the graph here until the person has decided. Returns only in a resumed run, and only a decision on this question:
 * one on what the call was before is asked about again. The last decision counts.
 */
function ask(call: GateCall, question: Question, agent: AgentRef, observer: AgentObserver): ApprovalResume {
  const payload: ApprovalInterrupt = {
    callId: call.callId,
    tool: call.tool,
    args: call.args,
    question,
    ...(call.agent === undefined ? {} : { agent: call.agent }),
  };
  let last: ApprovalResume | undefined;
  for (;;) {
    try {
      const resumed = interrupt<
        ApprovalInterrupt,
        Partial<Omit<ApprovalResume, 'decision'>> & { decision?: unknown }
      >(payload);
      // Closed by default: a resume without a proper decision throws here, and nothing runs.
      last = { ...resumed, decision: Decision.parse(resumed?.decision) };
    } catch (error) {
      if (!isGraphInterrupt(error)) throw error;
      if (last !== undefined && isOn(last, question)) return last;
      if (last !== undefined) observer.decisionRefused?.(agent, call);
      observer.approvalRequested(agent, call, question);
      throw error;
    }
  }
}

/** A refusal or an answer in words is one whatever has changed since. */
const isOn = ({ decision, digest }: ApprovalResume, question: Question): boolean =>
  decision.type === 'reject' ||
  decision.type === 'respond' ||
  digest === undefined ||
  digest === question.digest;

const replay = (stored: StoredResult, callId: string, tool: string) =>
  new ToolMessage({
    content: stored.content,
    status: stored.status,
    name: tool,
    tool_call_id: callId,
    ...(stored.exitCode === undefined ? {} : { artifact: { exitCode: stored.exitCode } }),
  });

const mediaIn = (message: ToolMessage | undefined): Media[] =>
  typeof message?.content === 'object' ? message.content.flatMap((block) => mediaOf(block) ?? []) : [];

/** Before the words of a result; what it holds beside them stays. */
function addNote(message: ToolMessage, note: string): void {
  const { content } = message;
  message.content =
    typeof content === 'string' ? `${note}\n${content}` : [{ type: 'text', text: note }, ...content];
}

/** The message that answers this call, also inside a Command. */
function toolMessageOf(result: ToolMessage | Command, callId: string): ToolMessage | undefined {
  if (!isCommand(result)) return result;
  const update = result.update;
  if (update === undefined || Array.isArray(update)) return undefined;
  const { messages } = update as { messages?: unknown };
  if (!Array.isArray(messages)) return undefined;
  return messages.find((m): m is ToolMessage => ToolMessage.isInstance(m) && m.tool_call_id === callId);
}

function storedResult(message: ToolMessage | undefined): StoredResult {
  if (message === undefined) return { content: '', status: 'success' };
  const artifact = message.artifact as { exitCode?: number | null } | undefined;
  return {
    content: text(message),
    status: message.status === 'error' ? 'error' : 'success',
    ...(artifact?.exitCode === undefined ? {} : { exitCode: artifact.exitCode }),
  };
}
