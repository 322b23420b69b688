import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages';
import type { Action } from './actions';
import { demoRequests } from './demo';
import { type Flow, flowOf, type PlayedAction, type Report, type Setting } from './flows';
import type { Language } from './language';
import { asksForHelp, nearRequests } from './near';
import { parseRequest } from './parse';
import { type Outcome, outcomeOf, type PlannedCall } from './results';

export type Answer = { calls: PlannedCall[] } | { text: string };

export interface DecideOptions {
  /** Available tools; null if unknown. */
  tools: ReadonlySet<string> | null;
  platform: NodeJS.Platform;
}

/**
 * The offline assistant's next message, derived only from the conversation: it parses the request, replays it with the
 * results so far, and answers with the next calls or, at the end, with one sentence. Requests during another one are handled
 * after it.
 */
export function decide(messages: readonly BaseMessage[], { tools, platform }: DecideOptions): Answer {
  const summary = summaryOf(messages);
  if (summary !== null) return { text: summary };
  const first = firstAtWork(messages);
  const rounds = roundsAfter(messages, first);
  const answers: string[] = [];
  for (const one of messages.slice(first).filter(isRequest)) {
    const request = parseRequest(wordsOf(one));
    const { language } = request;
    if (!request.understood) {
      answers.push(withoutRequest(wordsOf(one), request.unclear, language));
      continue;
    }
    const setting: Setting = { words: language.words, folder: folderOf(messages) };
    const play = playSteps(withDemo(request.steps, language, platform), setting);
    let turn = play.next();
    while (!turn.done) {
      const calls = turn.value;
      if (tools !== null && calls.some(({ name }) => !tools.has(name))) {
        turn = play.next(calls.map((call) => ({ call, state: 'no_tool', text: '', exitCode: null })));
        continue;
      }
      const outcomes = rounds.next();
      if (outcomes.done) return { calls };
      turn = play.next(outcomes.value);
    }
    answers.push(turn.value);
  }
  return { text: answers.join('\n\n') };
}

/** The answer to a text that is not a request. */
function withoutRequest(text: string, unclear: string | null, language: Language): string {
  if (asksForHelp(text)) return language.words.help(language.examples);
  const part = unclear ?? text.trim();
  return language.words.notUnderstood(part, nearRequests(part, language), unclear === null);
}

/** Index of the oldest unfinished request: it has no final answer yet, and none of its calls was stopped. */
function firstAtWork(messages: readonly BaseMessage[]): number {
  let first = messages.findLastIndex(isRequest);
  for (let at = first - 1; at >= 0; at--) {
    const one = messages[at];
    if (AIMessage.isInstance(one) && (one.tool_calls ?? []).length === 0) break;
    if (one === undefined || !isRequest(one)) continue;
    const rounds = [...roundsAfter(messages.slice(0, first), at)];
    if (rounds.flat().some(({ state }) => state === 'unanswered')) break;
    first = at;
  }
  return first;
}

/** The person's text is the first block. Attachments and notes on them follow in others. */
function wordsOf({ content, text }: BaseMessage): string {
  if (typeof content === 'string') return text;
  const [first] = content;
  return first?.type === 'text' && typeof first.text === 'string' ? first.text : text;
}

/** Messages that middleware adds in the person's name (a summary of earlier messages, a note) are not requests. */
const isRequest = (message: BaseMessage) =>
  HumanMessage.isInstance(message) && message.additional_kwargs.lc_source === undefined;

/** The summary of a compaction: its requests, in the person's own words. Null if no summary is requested. */
function summaryOf(messages: readonly BaseMessage[]): string | null {
  const [first, asked] = messages;
  if (!SystemMessage.isInstance(first) || !first.text.startsWith(SUMMARY_PROMPT) || asked === undefined)
    return null;
  const earlier = /<summary_so_far>\n([\s\S]*?)\n<\/summary_so_far>/u.exec(asked.text)?.[1];
  const requests = [...asked.text.matchAll(/^## Person\n\n([\s\S]*?)(?=\n\n#{2,3} |\n<\/conversation>)/gmu)];
  return [
    ...(earlier === undefined ? ['## What the person wants'] : [earlier]),
    ...requests.map(([, text = '']) => `- ${text.trim().replaceAll('\n', ' ')}`),
  ].join('\n');
}

/** The beginning of the harness's summary prompt. */
const SUMMARY_PROMPT = 'You summarize the history of an agent';

/** The system prompt names the folder on a separate line. */
function folderOf(messages: readonly BaseMessage[]): string {
  const prompt = messages.filter((one) => SystemMessage.isInstance(one)).map((one) => one.text);
  const folder = /^Project folder: (.+)$/mu.exec(prompt.join('\n'))?.[1]?.trim() ?? '';
  return folder.replace(/\/+$/u, '');
}

/** The results of each message with calls after the request, call by call. */
function* roundsAfter(messages: readonly BaseMessage[], at: number): Generator<Outcome[]> {
  const after = messages.slice(at + 1);
  const results = new Map<string, ToolMessage>();
  for (const one of after) if (ToolMessage.isInstance(one)) results.set(one.tool_call_id, one);
  for (const one of after) {
    if (!AIMessage.isInstance(one)) continue;
    const calls = one.tool_calls ?? [];
    if (calls.length > 0) yield calls.map((call) => outcomeOf(call, results.get(call.id ?? '')));
  }
}

/** Expands the demo to a list of requests, so that it shows only requests that a person could make. */
function withDemo(steps: Action[][], language: Language, platform: NodeJS.Platform): PlayedAction[][] {
  return steps.flatMap((step) => {
    const others = step.filter((action) => action.do !== 'demo');
    if (others.length === step.length) return [others];
    const demo = parseRequest(demoRequests(language, platform));
    if (!demo.understood) throw new Error(`The demo is not understood: ${demo.unclear}`);
    const played = demo.steps.map((one) => one.filter((action) => action.do !== 'demo'));
    return others.length > 0 ? [others, ...played] : played;
  });
}

/** Runs the steps in order until one fails; ends with the closing sentence. */
function* playSteps(steps: PlayedAction[][], setting: Setting): Generator<PlannedCall[], string, Outcome[]> {
  const { words } = setting;
  const done: Report[] = [];
  for (const [index, step] of steps.entries()) {
    const reports = yield* together(step.map((action) => flowOf(action, setting)));
    const failures = reports.filter((report) => !report.ok);
    done.push(...reports.filter((report) => report.ok));
    if (failures.length > 0) {
      return words.stopped({
        step: index + 1,
        steps: steps.length,
        failures: failures.map((report) => report.clause),
        done: done.map((report) => report.clause),
        left: steps.slice(index + 1).flatMap((later) => later.map((action) => action.source)),
      });
    }
  }
  const below = done.flatMap((report) => (report.below === undefined ? [] : [report.below]));
  return [words.summary(done.map((report) => report.clause)), ...below].join('\n\n');
}

/** Runs several flows in parallel: their next calls go out in one message. */
function* together(flows: Flow[]): Generator<PlannedCall[], Report[], Outcome[]> {
  const turns = flows.map((flow) => flow.next());
  while (turns.some((turn) => !turn.done)) {
    const outcomes = yield turns.flatMap((turn) => (turn.done ? [] : turn.value));
    let at = 0;
    for (const [index, turn] of turns.entries()) {
      const flow = flows[index];
      if (turn.done || flow === undefined) continue;
      const mine = outcomes.slice(at, at + turn.value.length);
      at += turn.value.length;
      turns[index] = flow.next(mine);
    }
  }
  return turns.flatMap((turn) => (turn.done ? [turn.value] : []));
}
