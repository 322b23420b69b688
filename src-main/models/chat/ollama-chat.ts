import type { CallbackManagerForLLMRun } from '@langchain/core/callbacks/manager';
import { AIMessageChunk, type BaseMessage } from '@langchain/core/messages';
import type { ChatGenerationChunk, ChatResult } from '@langchain/core/outputs';
import { ChatOllama, type ChatOllamaInput } from '@langchain/ollama';
import { parseJson } from '../../base/limited-json';
import { optional } from '../../contract/shared/optional';
import { apiFetch } from './api-fetch';
import { argumentsOf } from './argument-text';
import { asEventStream } from './event-stream';
import { guardedStream, profileOf, type StreamRules, wholeOf } from './guarded-stream';
import { historyFor } from './history';
import { objectOf } from './loose';
import { modalitiesOf } from './media';
import { ThinkingTags } from './thinking-tags';
import { ollamaEvents } from './whole-answers';

/**
 * The package checks the signal only between chunks, so a model that is loading or thinking could not be stopped. Here, each
 * call has its own client, whose requests end with the call's signal.
 */
export class OllamaChat extends ChatOllama {
  constructor(
    private readonly fields: ChatOllamaInput & { model: string },
    private readonly rules: StreamRules,
  ) {
    super({ ...fields, fetch: apiFetch });
  }

  override get profile() {
    return profileOf(super.profile, this.rules);
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: this['ParsedCallOptions'],
    runManager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    const format = options.format ?? schemaOf(options);
    yield* guardedStream(this.rules, options.signal, (signal) => {
      // The package's own retries would hide that a request is sent again.
      const once = new ChatOllama({ ...this.fields, maxRetries: 0, fetch: stoppable(signal) });
      return documented(
        namingErrors(
          once._streamResponseChunks(
            historyFor('ollama', messages, modalitiesOf(this.rules.facts.abilities, this.rules.model)),
            { ...options, signal, ...optional({ format }) },
            runManager,
          ),
        ),
      );
    });
  }

  /** The package's version loses calls whose arguments cannot be read. */
  override async _generate(
    messages: BaseMessage[],
    options: this['ParsedCallOptions'],
    runManager?: CallbackManagerForLLMRun,
  ): Promise<ChatResult> {
    return { generations: [await wholeOf(this._streamResponseChunks(messages, options, runManager))] };
  }
}

/** An error within the stream is thrown only with its text. */
async function* namingErrors(
  chunks: AsyncGenerator<ChatGenerationChunk>,
): AsyncGenerator<ChatGenerationChunk> {
  try {
    yield* chunks;
  } catch (error) {
    const isTheServers = error instanceof Error && error.constructor === Error && !('status' in error);
    if (isTheServers && !/did not receive done/iu.test(error.message)) {
      Object.assign(error, { code: 'server_error' });
    }
    throw error;
  }
}

/**
 * Models that Ollama does not know to think write their reasoning in tags. Servers with Ollama's interface may send arguments
 * as text. Changes the chunks in place, because the package also passes them to handlers.
 */
async function* documented(chunks: AsyncGenerator<ChatGenerationChunk>): AsyncGenerator<ChatGenerationChunk> {
  const tags = new ThinkingTags();
  for await (const chunk of chunks) {
    const { message } = chunk;
    if (AIMessageChunk.isInstance(message)) {
      const part = tags.take(message.text);
      const held = message.response_metadata.done === true ? tags.end() : NOTHING;
      const { reasoning_content: own, ...extra } = message.additional_kwargs;
      const reasoning = `${typeof own === 'string' ? own : ''}${part.reasoning}${held.reasoning}`;
      message.content = part.content + held.content;
      message.additional_kwargs = { ...extra, ...(reasoning === '' ? {} : { reasoning_content: reasoning }) };
      for (const call of message.tool_call_chunks ?? []) call.args = argumentsOf(call.args || '{}');
    }
    yield chunk;
  }
}

const NOTHING = { reasoning: '', content: '' };

/** `createAgent` requests structured output in the formats of three providers, but not in Ollama's. */
function schemaOf(options: object): Record<string, unknown> | undefined {
  const schema = 'responseSchema' in options ? options.responseSchema : undefined;
  return typeof schema === 'object' && schema !== null ? { ...schema } : undefined;
}

const stoppable =
  (stop: AbortSignal): typeof globalThis.fetch =>
  async (input, init) => {
    const signals = [stop, init?.signal].filter((one) => one != null);
    const response = await apiFetch(input, { ...init, signal: AbortSignal.any(signals) });
    if (response.ok) return asEventStream(response, { isLine: true, eventsOf: ollamaEvents });
    const text = await response.text();
    throw refused(response, text);
  };

/** Maximum bytes of an error that is read as JSON. */
const MAX_ERROR = 1_000_000;

/** The client's own error lacks the headers and the error type. */
function refused(response: Response, text: string): Error {
  return Object.assign(new Error(wordsOf(text) || `${response.status} ${response.statusText}`), {
    name: 'ResponseError',
    status: response.status,
    headers: response.headers,
  });
}

function wordsOf(text: string): string {
  const read = parseJson(text, { maxBytes: MAX_ERROR });
  const whole = 'value' in read ? read.value : null;
  const error = whole !== null && typeof whole === 'object' && 'error' in whole ? whole.error : null;
  const message = typeof error === 'string' ? error : objectOf(error).message;
  return typeof message === 'string' ? message : text;
}
