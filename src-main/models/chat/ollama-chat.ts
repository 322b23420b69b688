import type { CallbackManagerForLLMRun } from '@langchain/core/callbacks/manager';
import type { BaseMessage } from '@langchain/core/messages';
import type { ChatGenerationChunk } from '@langchain/core/outputs';
import { ChatOllama, type ChatOllamaInput } from '@langchain/ollama';

/**
 * The package looks at the signal only between chunks: a model that is being loaded, or thinks, could not be stopped.
 * Here each call has a client of its own whose requests the signal of the call ends.
 */
export class OllamaChat extends ChatOllama {
  constructor(private readonly fields: ChatOllamaInput & { model: string }) {
    super(fields);
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: this['ParsedCallOptions'],
    runManager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    const once = new ChatOllama({ ...this.fields, fetch: stoppable(options.signal) });
    yield* once._streamResponseChunks(messages, options, runManager);
    options.signal?.throwIfAborted();
  }
}

const stoppable =
  (stop: AbortSignal | undefined): typeof fetch =>
  async (input, init) => {
    const signals = [stop, init?.signal].filter((one) => one != null);
    const response = await fetch(input, { ...init, signal: AbortSignal.any(signals) });
    if (response.ok || response.headers.get('content-type')?.includes('application/json')) return response;
    // The client prints a note to standard output for errors in any other form.
    return Response.json({ error: await response.text() }, { status: response.status });
  };
