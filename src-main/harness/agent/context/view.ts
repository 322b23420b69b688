import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { optional } from '../../../contract/shared/optional';
import { writesFile } from '../../tools/catalogue';
import { withArguments } from '../with-arguments';
import { type Compaction, keptFrom, summaryMessage } from './compaction';
import { lastHuman } from './cut-point';
import { tokensOfMessage, tokensOfMessages } from './tokens';

const ARGUMENT_LENGTH = 2_000;
const ARGUMENT_HEAD = 20;
const ARGUMENT_CUT = '...(argument truncated)';
const RESULT_CUT = '\n...(result truncated)\n';
/** Tokens that a result is always left with. */
const RESULT_FLOOR = 120;
/** The person's last message stays in words when older than the cut, up to this part of what is kept. */
const REQUEST_SHARE = 0.5;

/** What is shown of a thread: where it begins, what stays of what went, whose arguments are cut. */
export interface ViewOptions {
  compaction: Compaction | undefined;
  /** Messages before this index show only the beginning of long arguments of write and edit calls. */
  argumentsCutBefore: number;
  /** Ids of messages that the person pinned: they stay, in words, when they are compacted. */
  pinned: ReadonlySet<string>;
  /** Tokens that the last request may take up when it went with what was compacted. */
  keepTokens: number;
}

/** The messages that a model is sent in place of the thread's whole history. */
export function viewOf(messages: readonly BaseMessage[], options: ViewOptions): BaseMessage[] {
  const { compaction, argumentsCutBefore, pinned, keepTokens } = options;
  const from = keptFrom(messages, compaction);
  const view: BaseMessage[] = [];
  if (compaction !== undefined) {
    view.push(summaryMessage(compaction));
    const request = lastHuman(messages);
    for (const [index, message] of messages.slice(0, from).entries()) {
      const isRequest = index === request && tokensOfMessage(message) <= keepTokens * REQUEST_SHARE;
      if (isRequest || (message.id !== undefined && pinned.has(message.id))) view.push(inWords(message));
    }
  }
  for (let index = from; index < messages.length; index++) {
    const message = messages[index];
    if (message !== undefined) view.push(index < argumentsCutBefore ? withShortArguments(message) : message);
  }
  return view;
}

/** A message without its calls, which have lost their results. */
function inWords(message: BaseMessage): BaseMessage {
  if (HumanMessage.isInstance(message)) return message;
  return new HumanMessage({
    ...(message.id === undefined ? {} : { id: `pinned-${message.id}` }),
    content: `From earlier in this conversation, kept word for word:\n\n${message.text}`,
    additional_kwargs: { lc_source: 'pinned' },
  });
}

const shortened = new WeakMap<BaseMessage, BaseMessage>();

function withShortArguments(message: BaseMessage): BaseMessage {
  if (!AIMessage.isInstance(message)) return message;
  const calls = message.tool_calls ?? [];
  if (!calls.some((call) => writesFile(call.name) && hasLong(call.args))) return message;
  const known = shortened.get(message);
  if (known !== undefined) return known;
  const copy = withArguments(message, (args, { name }) => (writesFile(name ?? '') ? shorten(args) : args));
  shortened.set(message, copy);
  return copy;
}

const isLong = (value: unknown): value is string =>
  typeof value === 'string' && value.length > ARGUMENT_LENGTH;
const hasLong = (args: Record<string, unknown>): boolean => Object.values(args).some(isLong);

function shorten(args: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [
      name,
      isLong(value) ? value.slice(0, ARGUMENT_HEAD) + ARGUMENT_CUT : value,
    ]),
  );
}

/**
 * The same messages within `room` tokens, where that is possible: the largest results first, then the largest other
 * texts, keep only their head and tail. Where even that is not enough, it `fits` not, and is as short as it gets.
 */
export function fitInto(
  messages: readonly BaseMessage[],
  room: number,
): { messages: BaseMessage[]; fits: boolean } {
  const fitted = [...messages];
  let excess = tokensOfMessages(fitted) - room;
  if (excess <= 0) return { messages: fitted, fits: true };
  const bySize = fitted
    .map((message, index) => ({
      index,
      tokens: tokensOfMessage(message),
      isResult: ToolMessage.isInstance(message),
    }))
    .filter(({ tokens }) => tokens > RESULT_FLOOR)
    .sort((a, b) => Number(b.isResult) - Number(a.isResult) || b.tokens - a.tokens);
  for (const { index, tokens } of bySize) {
    const message = fitted[index];
    if (message === undefined || typeof message.content !== 'string') continue;
    const cut = withText(message, headAndTail(message.content, Math.max(RESULT_FLOOR, tokens - excess) * 3));
    if (cut === null) continue;
    fitted[index] = cut;
    excess -= tokens - tokensOfMessage(cut);
    if (excess <= 0) return { messages: fitted, fits: true };
  }
  return { messages: fitted, fits: false };
}

/** Three characters for each token that is left, so that other scripts and the note itself fit more often than not. */
function headAndTail(text: string, length: number): string {
  if (text.length <= length) return text;
  const half = Math.floor((length - RESULT_CUT.length) / 2);
  return half <= 0 ? text.slice(0, length) : text.slice(0, half) + RESULT_CUT + text.slice(-half);
}

function withText(message: BaseMessage, content: string): BaseMessage | null {
  const { id, name, additional_kwargs } = message;
  const common = {
    content,
    additional_kwargs,
    ...optional({ id, name }),
  };
  if (ToolMessage.isInstance(message))
    return new ToolMessage({
      ...common,
      tool_call_id: message.tool_call_id,
      ...optional({ status: message.status }),
    });
  return HumanMessage.isInstance(message) ? new HumanMessage(common) : null;
}
