import type { CallbackManagerForLLMRun } from '@langchain/core/callbacks/manager';
import type { BaseMessage } from '@langchain/core/messages';
import type { ChatGenerationChunk } from '@langchain/core/outputs';
import { ChatOllama, type ChatOllamaInput } from '@langchain/ollama';
import { parseJson } from '../../base/limited-json';
import { guardedFetch } from '../../base/network/guarded-fetch';
import { optional } from '../../contract/shared/optional';
import { guardedStream, profileOf, type StreamRules } from './guarded-stream';
import { historyFor } from './history';
import { modalitiesOf } from './media';

/**
 * The package looks at the signal only between chunks: a model that is being loaded, or thinks, could not be stopped.
 * Here each call has a client of its own whose requests the signal of the call ends.
 */
export class OllamaChat extends ChatOllama {
  constructor(
    private readonly fields: ChatOllamaInput & { model: string },
    private readonly rules: StreamRules,
  ) {
    super({ ...fields, fetch: guardedFetch });
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
      // The package's own retries would hide that a request is being sent again.
      const once = new ChatOllama({ ...this.fields, maxRetries: 0, fetch: stoppable(signal) });
      return namingErrors(
        once._streamResponseChunks(
          historyFor('ollama', messages, modalitiesOf(this.rules.facts.abilities, this.rules.model)),
          { ...options, signal, ...optional({ format }) },
          runManager,
        ),
      );
    });
  }
}

/** An error that the server tells within the stream is thrown as its words alone. */
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

/** `createAgent` asks for structured output in the words of three providers; Ollama's is not among them. */
function schemaOf(options: object): Record<string, unknown> | undefined {
  const schema = 'responseSchema' in options ? options.responseSchema : undefined;
  return typeof schema === 'object' && schema !== null ? { ...schema } : undefined;
}

const stoppable =
  (stop: AbortSignal): typeof globalThis.fetch =>
  async (input, init) => {
    const signals = [stop, init?.signal].filter((one) => one != null);
    const response = await guardedFetch(input, { ...init, signal: AbortSignal.any(signals) });
    if (response.ok) return response;
    const text = await response.text();
    throw refused(response, text);
  };

/** Bytes of an error that is read as JSON. */
const MAX_ERROR = 1_000_000;

/** The client's own error has neither headers nor the type of the error. */
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
  return typeof error === 'string' ? error : text;
}
