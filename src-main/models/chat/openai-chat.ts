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
    // The raw chunks hold what the package leaves out; they go no further than `keepRefusal`.
    super({ ...given, __includeRawResponse: true });
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
    const ask = () =>
      keepRefusal(keepStopReason(super._streamResponseChunks(messages, { ...options, signal }, runManager)));
    try {
      yield* ask();
    } catch (error) {
      // Refused before anything is streamed.
      if (!isUnverified(error)) throw error;
      this.withoutSummary();
      yield* ask();
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

/** Chat Completions streams a refusal, and some servers their reasoning, in fields that the package does not know. */
async function* keepRefusal(
  chunks: AsyncGenerator<ChatGenerationChunk>,
): AsyncGenerator<ChatGenerationChunk> {
  for await (const chunk of chunks) {
    const { __raw_response: raw, ...extra } = chunk.message.additional_kwargs;
    if (raw !== undefined) {
      const { refusal, reasoning } = deltaOf(raw);
      chunk.message.additional_kwargs = {
        ...extra,
        ...(typeof refusal === 'string' && refusal !== '' ? { refusal } : {}),
        ...(typeof reasoning === 'string' && reasoning !== '' && extra.reasoning_content === undefined
          ? { reasoning_content: reasoning }
          : {}),
      };
    }
    yield chunk;
  }
}

function deltaOf(raw: unknown): { refusal?: unknown; reasoning?: unknown } {
  const choices: unknown = isObject(raw) && 'choices' in raw ? raw.choices : undefined;
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  const delta: unknown = isObject(choice) && 'delta' in choice ? choice.delta : undefined;
  return isObject(delta) ? delta : {};
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
