import { ChatAnthropic, type ChatAnthropicInput } from '@langchain/anthropic';
import type { CallbackManagerForLLMRun } from '@langchain/core/callbacks/manager';
import type { BaseMessage } from '@langchain/core/messages';
import type { ChatGenerationChunk } from '@langchain/core/outputs';
import { documentedEvents } from './documented-events';
import { guardedStream, profileOf, type StreamRules } from './guarded-stream';
import { historyFor } from './history';
import { modalitiesOf } from './media';
import { marked, markForCache } from './prompt-cache';

/** Call option: whether to mark a request's tools for the cache. */
const MARK_TOOLS = 'deepdesk_mark_tools';

/** Anthropic's model, with cache marks in its requests and correct token counts. */
export class AnthropicChat extends ChatAnthropic {
  constructor(
    fields: ChatAnthropicInput,
    private readonly rules: StreamRules,
  ) {
    super(fields);
  }

  override get profile() {
    return profileOf(super.profile, this.rules);
  }

  override invocationParams(options?: this['ParsedCallOptions']) {
    const params = super.invocationParams(options);
    const last = params.tools?.at(-1);
    if (options !== undefined && MARK_TOOLS in options && last !== undefined) {
      params.tools = [...(params.tools ?? []).slice(0, -1), marked(last)];
    }
    // The service does not allow thinking if a tool call is required.
    const { tool_choice: choice } = params;
    if (choice?.type === 'any' || choice?.type === 'tool') delete params.thinking;
    return params;
  }

  protected override async createStreamWithRetry(
    ...request: Parameters<ChatAnthropic['createStreamWithRetry']>
  ): ReturnType<ChatAnthropic['createStreamWithRetry']> {
    const stream = await super.createStreamWithRetry(...request);
    const events = stream[Symbol.asyncIterator].bind(stream);
    // In place, because the package also stops it.
    stream[Symbol.asyncIterator] = () => documentedEvents({ [Symbol.asyncIterator]: events });
    return stream;
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: this['ParsedCallOptions'],
    runManager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    const cache = markForCache(
      historyFor('anthropic', messages, modalitiesOf(this.rules.facts.abilities, this.rules.model)),
      {
        hasTools: (options.tools ?? []).length > 0,
        // The published middleware asks the service to mark the end of a request.
        marked: options.cache_control == null ? 0 : 1,
      },
    );
    yield* guardedStream(this.rules, options.signal, (signal) =>
      countOnce(
        super._streamResponseChunks(
          cache.messages,
          { ...options, signal, ...(cache.tools ? { [MARK_TOOLS]: true } : {}) },
          runManager,
        ),
      ),
    );
  }
}

/** Each usage event reports the answer's total tokens so far; the package would add them up. */
async function* countOnce(chunks: AsyncGenerator<ChatGenerationChunk>): AsyncGenerator<ChatGenerationChunk> {
  let before = 0;
  for await (const chunk of chunks) {
    const usage = 'usage_metadata' in chunk.message ? chunk.message.usage_metadata : undefined;
    if (isUsage(usage)) {
      const more = Math.max(0, usage.output_tokens - before);
      before += more;
      Object.assign(usage, { output_tokens: more, total_tokens: usage.input_tokens + more });
    }
    yield chunk;
  }
}

const isUsage = (value: unknown): value is { input_tokens: number; output_tokens: number } =>
  typeof value === 'object' &&
  value !== null &&
  'input_tokens' in value &&
  typeof value.input_tokens === 'number' &&
  'output_tokens' in value &&
  typeof value.output_tokens === 'number';
