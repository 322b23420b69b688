import type { CallbackManagerForLLMRun } from '@langchain/core/callbacks/manager';
import type { BaseMessage } from '@langchain/core/messages';
import type { ChatGenerationChunk, ChatResult } from '@langchain/core/outputs';
import { ChatOpenAI, type ChatOpenAIFields } from '@langchain/openai';
import { guardedStream, profileOf, type StreamRules } from './guarded-stream';
import { historyFor } from './history';
import { keepStopReason } from './stop-reason';

export class OpenAIChat extends ChatOpenAI {
  constructor(
    private readonly given: ChatOpenAIFields,
    private readonly rules: StreamRules,
  ) {
    super(given);
  }

  override get profile() {
    return profileOf(super.profile, this.rules.facts);
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: this['ParsedCallOptions'],
    runManager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    const history = historyFor(this._useResponsesApi(options) ? 'openai-responses' : 'openai-chat', messages);
    yield* guardedStream(this.rules, options.signal, (signal) =>
      this.answer(history, options, signal, runManager),
    );
  }

  private async *answer(
    messages: BaseMessage[],
    options: this['ParsedCallOptions'],
    signal: AbortSignal,
    runManager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    const ask = (more: object) =>
      keepStopReason(super._streamResponseChunks(messages, { ...options, ...more, signal }, runManager));
    try {
      yield* ask({});
    } catch (error) {
      // Refused before anything is streamed.
      if (!isUnverified(error)) throw error;
      this.withoutSummary();
      yield* ask({});
    }
  }

  /** For the rest of this model's life. */
  private withoutSummary(): void {
    for (const one of [this, this.responses]) {
      if (one.reasoning === undefined) continue;
      const { summary: _, ...reasoning } = one.reasoning;
      one.reasoning = reasoning;
    }
  }

  /** The package's own makes a plain ChatOpenAI, and what this class mends would be lost as soon as tools are bound. */
  override withConfig(config: Partial<this['ParsedCallOptions']>): OpenAIChat {
    const bound = new OpenAIChat(this.given, this.rules);
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
    if (whole === undefined) throw new Error('The response ended before it began.');
    return { generations: [whole] };
  }
}

/** OpenAI gives summaries of reasoning only to organizations that have shown who they are. */
const isUnverified = (error: unknown): boolean =>
  error instanceof Error && /must be verified to generate reasoning summar/iu.test(error.message);
