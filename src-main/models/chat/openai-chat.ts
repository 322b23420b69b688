import type { CallbackManagerForLLMRun } from '@langchain/core/callbacks/manager';
import type { BaseMessage } from '@langchain/core/messages';
import type { ChatGenerationChunk, ChatResult } from '@langchain/core/outputs';
import { ChatOpenAI } from '@langchain/openai';
import { keepStopReason } from './stop-reason';

export class OpenAIChat extends ChatOpenAI {
  override _streamResponseChunks(
    messages: BaseMessage[],
    options: this['ParsedCallOptions'],
    runManager?: CallbackManagerForLLMRun,
  ) {
    return keepStopReason(super._streamResponseChunks(messages, options, runManager));
  }

  /** The package's own makes a plain ChatOpenAI, and what this class mends would be lost as soon as tools are bound. */
  override withConfig(config: Partial<this['ParsedCallOptions']>): OpenAIChat {
    const bound = new OpenAIChat(this.fields);
    bound.defaultOptions = { ...this.defaultOptions, ...config };
    return bound;
  }

  /**
   * Streams even where nobody listens, so that a long answer is no silence that times out. The package's own way to do
   * so counts tokens with a table that it downloads from another server.
   */
  override async _generate(
    messages: BaseMessage[],
    options: this['ParsedCallOptions'],
    runManager?: CallbackManagerForLLMRun,
  ): Promise<ChatResult> {
    let whole: ChatGenerationChunk | undefined;
    for await (const chunk of this._streamResponseChunks(messages, options, runManager)) {
      whole = whole?.concat(chunk) ?? chunk;
    }
    // The package ends the stream in silence when it is stopped.
    options.signal?.throwIfAborted();
    if (whole === undefined) throw new Error('The response ended before it began.');
    return { generations: [whole] };
  }
}
