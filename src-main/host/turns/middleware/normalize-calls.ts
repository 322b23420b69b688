import { randomUUID } from 'node:crypto';
import { AIMessage, AIMessageChunk, type BaseMessage } from '@langchain/core/messages';
import { isShallow } from '../../../base/limited-json';
import { optional } from '../../../contract/shared/optional';

/** Key in `additional_kwargs`: maps a call id to the error in its arguments. */
const MALFORMED = 'deepdesk_malformed_calls';
/** Recursive functions compare, save and show arguments. */
const TOO_DEEP = 'nested more than 64 levels deep';

/**
 * Makes every call of an answer usable. Missing or reused ids get new ones (some local servers number calls from 0 in each
 * answer). Calls with invalid JSON or too deeply nested arguments become failing calls with a clear result instead of
 * vanishing. `isKnown` covers calls outside `history`: a sub-agent's call with the same id would get the parent's result.
 */
export function normalizeCalls(
  message: AIMessage,
  history: BaseMessage[],
  isKnown: (callId: string) => boolean = () => false,
): AIMessage {
  // An answer without calls need not be compared with the history.
  if (!message.tool_calls?.length && !message.invalid_tool_calls?.length) return message;
  const given = [...(message.tool_calls ?? []), ...(message.invalid_tool_calls ?? [])];
  const used = usedIn(history, new Set(given.map(({ id }) => id ?? '')));
  const renamed = new Map<string, string>();
  const fresh = (id: string | undefined) => {
    if (id !== undefined && id !== '' && !used.has(id) && !isKnown(id)) {
      used.add(id);
      return id;
    }
    // 29 characters: OpenAI accepts no more than 40.
    const next = `call_${randomUUID().replaceAll('-', '').slice(0, 24)}`;
    if (id !== undefined && id !== '') renamed.set(id, next);
    used.add(next);
    return next;
  };

  const malformed: Record<string, string> = {};
  const cut = cutArguments(message);
  const calls = (message.tool_calls ?? []).map((call) => {
    const id = fresh(call.id);
    const isDeep = !isShallow(call.args);
    const why = isDeep ? TOO_DEEP : cut.get(call.id ?? '');
    if (why !== undefined) malformed[id] = why;
    return isDeep ? { ...call, id, args: {} } : { ...call, id };
  });
  for (const invalid of message.invalid_tool_calls ?? []) {
    const id = fresh(invalid.id);
    malformed[id] = invalid.error ?? 'malformed or cut off';
    calls.push({ id, name: invalid.name ?? 'unknown', args: {}, type: 'tool_call' });
  }
  const unchanged = renamed.size === 0 && Object.keys(malformed).length === 0;
  if (unchanged && calls.every((call, index) => call.id === message.tool_calls?.[index]?.id)) return message;

  return new AIMessage({
    content: shallowBlocks(renameBlocks(message.content, renamed)),
    additional_kwargs: {
      ...withoutRawCalls(message.additional_kwargs),
      ...(Object.keys(malformed).length === 0 ? {} : { [MALFORMED]: malformed }),
    },
    response_metadata: message.response_metadata,
    tool_calls: calls,
    invalid_tool_calls: [],
    ...optional({ id: message.id, name: message.name, usage_metadata: message.usage_metadata }),
  });
}

/** The ids that calls had before. Every answer is compared with a history that may be long, so this does no more than it must. */
function usedIn(history: readonly BaseMessage[], ids: ReadonlySet<string>): Set<string> {
  const used = new Set<string>();
  for (const message of history) {
    // Cheaper than isInstance.
    if (message.type !== 'ai') continue;
    for (const { id } of (message as AIMessage).tool_calls ?? []) if (id && ids.has(id)) used.add(id);
  }
  return used;
}

/**
 * Streamed arguments that were cut off. LangChain completes them leniently, so a file would be written with half its
 * content; only the raw text shows it.
 */
function cutArguments(message: AIMessage): Map<string, string> {
  const cut = new Map<string, string>();
  if (!AIMessageChunk.isInstance(message)) return cut;
  for (const { id, args } of message.tool_call_chunks ?? []) {
    if (id === undefined || args === undefined || args.trim() === '') continue;
    try {
      JSON.parse(args);
    } catch (error) {
      cut.set(id, error instanceof Error ? error.message : String(error));
    }
  }
  return cut;
}

/** OpenAI's raw copy of the calls would be sent back instead of `tool_calls`. */
function withoutRawCalls(kwargs: AIMessage['additional_kwargs']) {
  const { tool_calls: _, ...rest } = kwargs;
  return rest;
}

/** Anthropic repeats the calls as `tool_use` content blocks; the second of two equal ids has no block left. */
function renameBlocks(content: AIMessage['content'], renamed: Map<string, string>): AIMessage['content'] {
  if (typeof content === 'string' || renamed.size === 0) return content;
  return content.map((block) => {
    const id = (block as { id?: unknown }).id;
    const next = block.type === 'tool_use' && typeof id === 'string' ? renamed.get(id) : undefined;
    return next === undefined ? block : { ...block, id: next };
  });
}

/** Providers repeat the arguments in content blocks. */
function shallowBlocks(content: AIMessage['content']): AIMessage['content'] {
  return typeof content === 'string' ? content : content.filter((block) => isShallow(block));
}

/** The error in a call's arguments if they could not be parsed. */
export function malformedCall(messages: unknown[], callId: string): string | undefined {
  for (const message of messages.toReversed()) {
    if (!AIMessage.isInstance(message)) continue;
    const table = message.additional_kwargs[MALFORMED];
    if (table === null || typeof table !== 'object') return undefined;
    const why = (table as Record<string, unknown>)[callId];
    return typeof why === 'string' ? why : undefined;
  }
  return undefined;
}
