import { rehearsedInEnglish } from '../../src-renderer/i18n/english';
import { inEnglish } from '../../src-renderer/i18n/errors';
import type { Approval } from '../contract/approvals';
import type { Retry, ThreadState, ToolCall } from '../contract/conversation';
import type { ThreadEvent } from '../contract/events';
import type { AppError } from '../contract/result';
import type { RoutineInfo } from '../contract/routines';
import { clearText } from '../contract/shared/unseen';
import { CALL_NAME_LENGTH, type CliOptions, modeName } from './options';
import { outcomeLines } from './outcome-lines';
import { detailLines, headLine, subject } from './pending-call';

export interface Output {
  /** Receives the answer, or the JSON lines. */
  out(text: string): void;
  /** Receives everything else. */
  err(text: string): void;
}

/** Prints one event per line, from the same union that the window receives. */
export const printJson = (output: Output) => (event: ThreadEvent) => output.out(`${JSON.stringify(event)}\n`);

/** Prints answers to standard output as they stream, and steps to standard error. */
export function printPlain(output: Output, state: () => ThreadState) {
  /** UTF-16 units printed of each streaming message. The end of a message can bring text that no delta brought. */
  const printed = new Map<string, number>();
  const print = (id: string, text: string): void => {
    if (text === '') return;
    printed.set(id, (printed.get(id) ?? 0) + text.length);
    output.out(text);
  };
  return (event: ThreadEvent): void => {
    switch (event.type) {
      case 'message.added':
        if (event.message.role === 'agent') {
          // A sub-agent's text is for the agent that called it.
          if (event.message.parentCallId !== undefined) return;
          if (event.message.phase === 'streaming') print(event.message.id, event.message.text);
          else if (event.message.text !== '') output.out(`${event.message.text}\n`);
        }
        // The failure of a turn is printed at its end.
        else if (event.message.role === 'notice' && event.message.actions.length === 0)
          output.err(`· ${inEnglish(event.message.error)}\n`);
        return;
      case 'turn.retrying':
        if (event.retry !== null) output.err(`· ${retryText(event.retry, Date.now())}\n`);
        return;
      case 'message.delta': {
        const message = state().messages.findLast(({ id }) => id === event.messageId);
        if (message?.role === 'agent' && message.parentCallId === undefined)
          print(event.messageId, event.text);
        return;
      }
      case 'message.ended':
        if (event.message.text !== '' && event.message.parentCallId === undefined)
          output.out(`${event.message.text.slice(printed.get(event.message.id) ?? 0)}\n`);
        printed.delete(event.message.id);
        return;
      case 'turn.ended':
        // An answer that broke off has no end. What follows starts a new line.
        if (printed.size > 0) output.out('\n');
        printed.clear();
        return;
      case 'tool.ended': {
        const call = callOf(state(), event.callId);
        if (call) output.err(`· ${call.name} ${subject(call.args)} [${endOf(event.status, call)}]\n`);
        return;
      }
      default:
        return;
    }
  };
}

function retryText({ until, error }: Retry, now: number): string {
  return `trying again in ${Math.max(1, Math.round((until - now) / 1_000))} s (${error.kind.replaceAll('_', ' ')})`;
}

/** Errors whose text says that the other side's message follows, or which only that message explains. */
const WITH_DETAIL: ReadonlySet<string> = new Set([
  'access_refused',
  'overloaded',
  'overloaded_status',
  'request_rejected',
  'request_rejected_status',
  'request_failed',
]);

/** Maximum number of printed lines of a provider's message. */
const MAX_DETAIL = 10;

/** Why a turn failed, with the message that the text refers to. */
export function failureText(error: AppError): string {
  const { detail = '' } = WITH_DETAIL.has(error.code) ? error : {};
  const lines = detail.split('\n').filter((line) => line.trim() !== '');
  const shown = lines.slice(0, MAX_DETAIL).map((line) => `    | ${clearText(line)}`);
  return [inEnglish(error).replaceAll(/\s*\n\s*/g, ' '), ...shown, ''].join('\n');
}

/** `done`, or `done, kept 2 files` for a command that ran in a throwaway layer. */
const endOf = (status: string, { rehearsal }: ToolCall): string =>
  rehearsal === undefined ? status : `${status}, ${rehearsedInEnglish(rehearsal)}`;

const callOf = (state: ThreadState, callId: string): ToolCall | undefined =>
  state.messages
    .flatMap((message) => (message.role === 'agent' ? message.calls : []))
    .find((c) => c.callId === callId);

/** The options that the next run of the thread needs again. */
type RunOptions = Pick<CliOptions, 'baseUrl' | 'dataDir' | 'mode'>;

/** The command that continues the thread, with the options of this run. */
function commandFor(threadId: string, { baseUrl, dataDir, mode }: RunOptions): string {
  const options = [
    ...(dataDir === undefined ? [] : ['--data-dir', quoted(dataDir)]),
    ...(baseUrl === undefined ? [] : ['--base-url', quoted(baseUrl)]),
    ...(mode === undefined ? [] : ['--mode', modeName(mode)]),
  ];
  return ['npm run agent --', ...options, '--thread', threadId].join(' ');
}

/** How to try a failed turn again. It decides pending calls like this run. */
export function retryAdvice(
  threadId: string,
  options: RunOptions & Pick<CliOptions, 'approve' | 'overtime'>,
): string {
  const { approve, overtime } = options;
  const decides = [
    ...(approve === 'policy' ? [] : [` --approve ${approve}`]),
    ...(overtime === undefined ? [] : [` --overtime ${overtime}`]),
  ];
  return `Try again with: ${commandFor(threadId, options)}${decides.join('')}\n`;
}

/** Lists the pending calls and how to decide them. `diffs`: what `outcomeDiffs` returned for each. */
export const waitingText = (
  approvals: readonly Approval[],
  threadId: string,
  options: RunOptions,
  diffs: readonly (readonly string[])[] = [],
): string =>
  [
    ...approvals.flatMap((approval, index) => [
      headLine(approval),
      ...detailLines(approval),
      ...printedOutcome(approval),
      ...(diffs[index] ?? []).map((line) => `    ${line}`),
      ...questionLines(approval),
      ...(approval.preview.kind === 'questions'
        ? []
        : [`    decide ${nameOf(approval)}: ${waysOf(approval)}`]),
    ]),
    `Waiting for ${approvals.length === 1 ? 'a decision' : `${approvals.length} decisions`}. Continue with: ${commandFor(threadId, options)}${approvals.map((approval) => ` --decide ${nameOf(approval)}=${suggestedDecision(approval)}`).join('')}`,
    '',
  ].join('\n');

const nameOf = ({ digest }: Approval): string => digest.slice(0, CALL_NAME_LENGTH);

/** The decisions that are possible, as one writes them. */
const waysOf = ({ allowed }: Approval): string => allowed.flatMap((type) => WAYS[type]).join(', ');
const WAYS: Readonly<Record<Approval['allowed'][number], readonly string[]>> = {
  approve: ['approve'],
  reject: ['reject[:message]'],
  edit: ['edit:JSON'],
  respond: ['respond:TEXT'],
  keep: ['keep', 'keep:PATHS'],
  discard: ['discard[:message]'],
  run: ['run'],
  wait: ['wait'],
  again: ['again'],
};

const suggestedDecision = (approval: Approval): string => {
  const first = firstOf(approval);
  return first === 'respond' ? "respond:'ANSWER'" : first;
};

/** What Enter does on the call's card. */
function firstOf({ allowed, outcome }: Approval): Approval['allowed'][number] {
  const isComplete = outcome !== undefined && outcome.refused.length === 0;
  if (isComplete && allowed.includes('keep')) return 'keep';
  const order = outcome === undefined ? (['approve'] as const) : (['again', 'wait', 'run', 'keep'] as const);
  return order.find((type) => allowed.includes(type)) ?? allowed[0] ?? 'reject';
}

/** Questions with their choices, as the number or the text of a choice answers them. */
function questionLines({ preview }: Approval): string[] {
  if (preview.kind !== 'questions') return [];
  const { questions } = preview;
  const line = (text: string) => clearText(text.replaceAll(/\s+/g, ' '));
  return [
    ...questions.flatMap(({ question, choices = [], multiple }) => [
      `    ${line(question)}${multiple === true ? ' (one or more)' : ''}`,
      ...choices.map((choice, index) => `      ${index + 1}. ${line(choice)}`),
    ]),
    ...(questions.length === 1
      ? []
      : [`    ANSWER: a JSON list with ${questions.length} answers, such as ["1","own words"]`]),
  ];
}

/** Maximum number of printed rows of an outcome. */
const MAX_PRINTED = 50;

function printedOutcome(approval: Approval): string[] {
  const lines = outcomeLines(approval);
  const shown = lines.slice(0, MAX_PRINTED).map((line) => `    ${line}`);
  return lines.length > MAX_PRINTED ? [...shown, `    and ${lines.length - MAX_PRINTED} more`] : shown;
}

/** Quotes a word for a shell. */
const quoted = (word: string) => (/^[\w./:=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

/** One line per routine: its name, its schedule, and when it runs next; or all of it as JSON. */
export function routinesText(routines: readonly RoutineInfo[], json: boolean): string {
  if (json) return `${JSON.stringify(routines)}\n`;
  const lines = routines.map(({ name, schedule, timeZone, isOn, nextAt }) => {
    const next = !isOn ? 'off' : nextAt === null ? 'no next run' : `next ${new Date(nextAt).toISOString()}`;
    return `${[name, `${schedule} (${timeZone})`, next].map((part) => part.replaceAll(/\s+/g, ' ')).join('\t')}\n`;
  });
  return lines.join('');
}
