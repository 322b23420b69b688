import { createHash } from 'node:crypto';
import type { OpenAIClient } from '@langchain/openai';
import type { Lessons } from './chat-lessons';

type Request = OpenAIClient.Chat.ChatCompletionCreateParamsStreaming;
type Message = Request['messages'][number] & { reasoning_content?: string };

export interface Reasoning {
  text: string;
  /** This model wrote it. */
  isOwn: boolean;
}

export const NO_REASONING: Reasoning = { text: '', isOwn: false };

/** The request in the form that most servers take, and this one in particular. `reasoning`: of the answers, in order. */
export function asTaught(request: Request, reasoning: readonly Reasoning[], lessons: Lessons): Request {
  const { refused, needsReasoning, shortIds, alternates } = lessons;
  let answers = 0;
  const messages = request.messages.map(inPlainText).map((message): Message => {
    // Audio of an answer is a message of its own.
    if (message.role !== 'assistant' || message.audio) return message;
    const { text, isOwn } = reasoning[answers++] ?? NO_REASONING;
    // LangChain sets the name to that of a node of its graph.
    const { name: _, ...own } = message;
    const isSent = needsReasoning || (isOwn && text !== '' && !refused.has('reasoning_content'));
    return isSent ? { ...own, reasoning_content: text } : own;
  });
  const named = shortIds ? messages.map(withShortIds) : messages;
  const joined = joinedUsers(named);
  const asked = { ...request, messages: alternates ? alternating(joined) : joined };
  for (const field of refused) Reflect.deleteProperty(asked, field);
  return asked;
}

/** Many servers take a list of parts only from the user, and only if it has more than text. */
function inPlainText<M extends Message>(message: M): M {
  const { content } = message;
  if (!Array.isArray(content)) return message;
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  if (texts.length < content.length) return message;
  const text = texts.reduce((all, next) => (/^\n|^$/u.test(next) ? all + next : `${all}\n${next}`));
  return { ...message, content: text };
}

/** Templates of local models refuse two messages of the user in a row. */
function joinedUsers(messages: readonly Message[]): Message[] {
  const joined: Message[] = [];
  for (const message of messages) {
    const before = joined.at(-1);
    const canJoin =
      message.role === 'user' &&
      before?.role === 'user' &&
      typeof message.content === 'string' &&
      typeof before.content === 'string' &&
      message.name === before.name;
    if (canJoin)
      joined[joined.length - 1] = { ...before, content: `${before.content}\n\n${message.content}` };
    else joined.push(message);
  }
  return joined;
}

/** A message between two of the same side. Calls and results do not count as one. */
function alternating(messages: readonly Message[]): Message[] {
  const all: Message[] = [];
  let last: 'user' | 'assistant' = 'assistant';
  for (const message of messages) {
    const isAnswer = message.role === 'assistant' && (message.tool_calls ?? []).length === 0;
    const side = message.role === 'user' ? 'user' : isAnswer ? 'assistant' : null;
    if (side !== null && side === last) {
      all.push({ role: side === 'user' ? 'assistant' : 'user', content: '…' });
    }
    last = side ?? last;
    all.push(message);
  }
  return all;
}

function withShortIds(message: Message): Message {
  if (message.role === 'tool') return { ...message, tool_call_id: shortId(message.tool_call_id) };
  if (message.role !== 'assistant' || message.tool_calls === undefined) return message;
  return { ...message, tool_calls: message.tool_calls.map((call) => ({ ...call, id: shortId(call.id) })) };
}

/** The form of Mistral's ids. Its own ones stay. */
const shortId = (id: string): string =>
  /^[a-z\d]{9}$/iu.test(id) ? id : createHash('sha256').update(id).digest('hex').slice(0, 9);
