import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { optional } from '../../../contract/shared/optional';
import { writesFile } from '../../tools/catalogue';
import { withArguments } from '../with-arguments';
import { type Compaction, keptFrom, summaryMessage } from './compaction';
import { lastHuman } from './cut-point';
import { tokensOfMessage, tokensOfMessages } from './tokens';

/** How long arguments are cut. */
export interface ArgumentCut {
  /** Characters of an argument that stays whole. */
  maxLength: number;
  /** Follows the beginning of one that does not. */
  text: string;
}

export const DEFAULT_CUT: ArgumentCut = { maxLength: 2_000, text: '...(argument truncated)' };
const ARGUMENT_HEAD = 20;
const RESULT_CUT = '\n...(result truncated)\n';
/** Tokens that a result always keeps. */
const RESULT_FLOOR = 120;
/** The person's last message stays verbatim even if it is before the cut, up to this share of what is kept. */
const REQUEST_SHARE = 0.5;

/** How to show a thread: where the view starts, which removed messages stay, and whose arguments are cut. */
export interface ViewOptions {
  compaction: Compaction | undefined;
  /** Messages before this index show only the start of long arguments of write and edit calls. */
  argumentsCutBefore: number;
  argumentCut: ArgumentCut;
  /** Ids of messages that the person pinned. They stay verbatim after a compaction. */
  pinned: ReadonlySet<string>;
  /** Tokens that the person's last request may have if it was among the compacted messages. */
  keepTokens: number;
}

/** The number of messages whose arguments are cut. None if the thread has lost messages since: others have their places. */
export const cutBefore = (
  messages: readonly BaseMessage[],
  cut: { before: number; total: number } | undefined,
): number => (cut === undefined || cut.total > messages.length ? 0 : cut.before);

/** The messages that a model gets instead of the thread's whole history. */
export function viewOf(messages: readonly BaseMessage[], options: ViewOptions): BaseMessage[] {
  const { compaction, argumentsCutBefore, argumentCut, pinned, keepTokens } = options;
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
    if (message !== undefined)
      view.push(index < argumentsCutBefore ? withShortArguments(message, argumentCut) : message);
  }
  return view;
}

/** A message without its calls, whose results were removed. */
function inWords(message: BaseMessage): BaseMessage {
  if (HumanMessage.isInstance(message)) return message;
  return new HumanMessage({
    ...(message.id === undefined ? {} : { id: `pinned-${message.id}` }),
    content: `From earlier in this conversation, kept word for word:\n\n${message.text}`,
    additional_kwargs: { lc_source: 'pinned' },
  });
}

const shortened = new WeakMap<ArgumentCut, WeakMap<BaseMessage, BaseMessage>>();

function withShortArguments(message: BaseMessage, cut: ArgumentCut): BaseMessage {
  if (!AIMessage.isInstance(message)) return message;
  const isLong = (value: unknown): value is string =>
    typeof value === 'string' && value.length > cut.maxLength;
  const calls = message.tool_calls ?? [];
  if (!calls.some((call) => writesFile(call.name) && Object.values(call.args).some(isLong))) return message;
  const cache = shortened.get(cut) ?? new WeakMap<BaseMessage, BaseMessage>();
  shortened.set(cut, cache);
  const known = cache.get(message);
  if (known !== undefined) return known;
  const short = (value: unknown) => (isLong(value) ? value.slice(0, ARGUMENT_HEAD) + cut.text : value);
  const copy = withArguments(message, (args, { name }) =>
    writesFile(name ?? '')
      ? Object.fromEntries(Object.entries(args).map(([key, value]) => [key, short(value)]))
      : args,
  );
  cache.set(message, copy);
  return copy;
}

/**
 * Cuts messages to `room` tokens if possible: the largest results first, then the largest other texts, keep only their head
 * and tail. If that is not enough, `fits` is false and the messages are as short as possible.
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

/** Three characters for each remaining token, so that other scripts and the note itself usually fit. */
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
