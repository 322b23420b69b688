import { randomUUID } from 'node:crypto';
import type { OpenAIClient } from '@langchain/openai';
import { isRecord } from '../../base/is-record';
import { parseJson } from '../../base/limited-json';
import { ArgumentText, jsonText, MAX_ARGUMENTS } from './argument-text';
import { type Loose, listOf, objectOf } from './loose';
import { reportedError } from './reported-error';
import { ThinkingTags } from './thinking-tags';

type Chunk = OpenAIClient.Chat.Completions.ChatCompletionChunk;
type Choice = Chunk['choices'][number];
type CallPart = NonNullable<Choice['delta']['tool_calls']>[number];

/**
 * The stream of a server that speaks Chat Completions, in the shape that OpenAI documents. Servers differ in what they leave
 * out, repeat, or write in another type; read as it is, such an answer loses its calls, its text, or its role. Throws what a
 * server reports in place of an answer.
 */
export async function* documentedChunks(chunks: AsyncIterable<object>): AsyncGenerator<Chunk> {
  const calls = new CallParts();
  const tags = new ThinkingTags();
  for await (const given of chunks) {
    const chunk = objectOf(given);
    throwReported(chunk);
    const choices = listOf(chunk.choices);
    // Without a choice, it can still hold the usage. Moonshot puts the usage into the choice.
    const choice = choices.length === 0 ? [] : [choiceOf(objectOf(choices[0]), calls, tags)];
    const usage = usageOf(chunk.usage ?? objectOf(choices[0]).usage);
    yield { ...chunk, choices: choice, usage } as Chunk;
  }
}

/** Servers that ignore `stream` send the whole `message`. */
function choiceOf(choice: Loose, calls: CallParts, tags: ThinkingTags): Choice {
  const {
    content: text,
    tool_calls,
    // Before lists of calls, an answer had one. Some servers still send only this field, or both.
    function_call: only,
    reasoning_content,
    ...delta
  } = objectOf(choice.delta ?? choice.message);
  const { content, reasoning } = tags.take(textOf(text));
  throwFailed(choice);
  const isEnd = (choice.finish_reason ?? null) !== null;
  const held = isEnd ? tags.end() : NOTHING;
  const thoughts = [textOf(reasoning_content), thinkingOf(text), reasoning, held.reasoning].join('');
  const called = listOf(tool_calls);
  if (called.length === 0 && isRecord(only)) called.push({ function: only });
  const parts = called.flatMap((part) => calls.read(objectOf(part)));
  if (isEnd) parts.push(...calls.end());
  return {
    ...choice,
    index: 0,
    finish_reason: endOf(choice.finish_reason),
    delta: {
      ...delta,
      // It is an answer, whatever role a server gives it.
      role: 'assistant',
      content: content + held.content,
      ...(thoughts === '' ? {} : { reasoning_content: thoughts }),
      ...(parts.length === 0 ? {} : { tool_calls: parts }),
    },
  } as Choice;
}

const NOTHING = { content: '', reasoning: '' };

/**
 * The client package reports an `error` by itself. Other servers put its fields at the top; Zhipu calls its text `msg`, and
 * FastAPI `detail`.
 */
function throwReported({ choices, object, message, msg, detail, code, type }: Loose): void {
  const said = message ?? msg ?? detail;
  if (Array.isArray(choices) || (object !== 'error' && typeof said !== 'string')) return;
  throw reportedError(said, code, type);
}

/** The ends of answers whose model failed: of OpenRouter and Mistral, vLLM, DeepSeek, and Zhipu. */
const FAILED: ReadonlySet<unknown> = new Set([
  'error',
  'abort',
  'insufficient_system_resource',
  'network_error',
]);

/** OpenAI's names for the ends that Zhipu and Mistral call so. */
const ENDS: Readonly<Record<string, string>> = { sensitive: 'content_filter', model_length: 'length' };

function endOf(reason: unknown): unknown {
  return typeof reason === 'string' && Object.hasOwn(ENDS, reason) ? ENDS[reason] : (reason ?? null);
}

function throwFailed({ finish_reason: reason, error }: Loose): void {
  if (!FAILED.has(reason)) return;
  const said = `The model behind the service failed (${String(reason)}).`;
  const { message = said, code = 'server_error' } = objectOf(error);
  throw reportedError(message, code);
}

interface KnownCall {
  /** The server's id and index; it may send neither. */
  id: string | undefined;
  place: number | undefined;
  name: string;
  args: string;
  text: ArgumentText;
}

/** Assigns the parts of calls to calls: each has its own index, and its first part an id. */
class CallParts {
  private readonly calls: KnownCall[] = [];

  /** Empty if it belongs to no call. */
  read(part: Loose): CallPart[] {
    const called = objectOf(part.function);
    const id = wordOf(part.id);
    const name = wordOf(called.name);
    const place = typeof part.index === 'number' ? part.index : undefined;
    const args = jsonText(called.arguments);
    const index = this.find(id, place, name, args);
    const known = this.calls[index];
    if (known !== undefined) return [this.continued(known, index, name, args)];
    if (name === undefined) return [];
    const call = { id, place, name, args, text: new ArgumentText() };
    this.calls.push(call);
    return [
      {
        index: this.calls.length - 1,
        id: id ?? `call_${randomUUID().replaceAll('-', '')}`,
        type: 'function',
        function: { name, arguments: call.text.take(args) },
      },
    ];
  }

  /** -1 for a new call. */
  private find(
    id: string | undefined,
    place: number | undefined,
    name: string | undefined,
    args: string,
  ): number {
    const isPlaced = (call: KnownCall) =>
      place === undefined || call.place === undefined || call.place === place;
    const same = id === undefined ? -1 : this.calls.findLastIndex((call) => call.id === id && isPlaced(call));
    // Some servers make a new id for each part, but name the call only once.
    const isNew = same === -1 && id !== undefined && name !== undefined;
    const found = same !== -1 ? same : isNew ? -1 : this.calls.findLastIndex(isPlaced);
    const known = this.calls[found];
    // A named part after complete arguments is another call, at an index that the server used before.
    return known !== undefined && name !== undefined && args !== '' && isWhole(known.args) ? -1 : found;
  }

  /** A name can come in pieces, or again with each part. LangChain keeps the last one that it gets. */
  private continued(known: KnownCall, index: number, name: string | undefined, args: string): CallPart {
    const hasMore = name !== undefined && name !== known.name && known.args === '';
    if (hasMore) known.name += name;
    known.args += args;
    return {
      index,
      function: { ...(hasMore ? { name: known.name } : {}), arguments: known.text.take(args) },
    };
  }

  end(): CallPart[] {
    return this.calls.flatMap(({ text }, index) => {
      const rest = text.end();
      return rest === '' ? [] : [{ index, function: { arguments: rest } }];
    });
  }
}

function isWhole(args: string): boolean {
  // Most pieces end elsewhere, and need no parsing of what may be long.
  if (!args.endsWith('}')) return false;
  const parsed = parseJson(args, { maxBytes: MAX_ARGUMENTS });
  return 'value' in parsed && typeof parsed.value === 'object';
}

/** The text of a string or of a list of parts. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return listOf(content)
    .map((part) => (typeof part === 'string' ? part : objectOf(part).text))
    .filter((text) => typeof text === 'string')
    .join('');
}

/** The reasoning in a list of parts, as Mistral sends it. */
const thinkingOf = (content: unknown): string =>
  listOf(content)
    .map((part) => textOf(objectOf(part).thinking))
    .join('');

/** Null if nothing is counted: some servers end with zeros. Moonshot and DeepSeek have own fields for cached tokens. */
function usageOf(usage: unknown): Loose | null {
  const given = objectOf(usage);
  const input = countOf(given.prompt_tokens);
  const output = countOf(given.completion_tokens);
  if (input + output === 0) return null;
  const details = objectOf(given.prompt_tokens_details);
  const cached = details.cached_tokens ?? given.cached_tokens ?? given.prompt_cache_hit_tokens;
  return {
    ...given,
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: countOf(given.total_tokens) || input + output,
    ...(cached == null ? {} : { prompt_tokens_details: { ...details, cached_tokens: countOf(cached) } }),
  };
}

const countOf = (value: unknown): number => {
  const count = Number(value);
  return Number.isFinite(count) ? count : 0;
};
const wordOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
