import { ChatAnthropic } from '@langchain/anthropic';
import type { CallbackManagerForLLMRun } from '@langchain/core/callbacks/manager';
import type { BaseMessage } from '@langchain/core/messages';
import type { ChatGenerationChunk } from '@langchain/core/outputs';

/**
 * The package takes a stop before the answer began for a failure that may pass, and ends only after its retries, some
 * seconds later. Here the stream ends at once, with the signal's reason.
 */
export class AnthropicChat extends ChatAnthropic {
  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: this['ParsedCallOptions'],
    runManager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    const { signal } = options;
    const chunks = super._streamResponseChunks(messages, options, runManager);
    if (signal === undefined) return yield* chunks;
    try {
      for (;;) {
        const turn = await unlessStopped(chunks.next(), signal);
        signal.throwIfAborted();
        if (turn.done) return;
        yield turn.value;
      }
    } finally {
      // Ends the request where the reader stopped reading. That it ends in an error then is of no interest.
      chunks.return(undefined).catch(() => undefined);
    }
  }
}

function unlessStopped<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    // What comes after the stop finds the promise settled and is dropped.
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
