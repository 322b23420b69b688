import type { CallbackManagerForLLMRun } from '@langchain/core/callbacks/manager';
import type { BaseMessage } from '@langchain/core/messages';
import type { ChatGenerationChunk, ChatResult } from '@langchain/core/outputs';
import { ChatOpenAI, type ChatOpenAIFields } from '@langchain/openai';
import { factsOf } from '../error-facts';
import { guardedStream, profileOf, type StreamRules } from './guarded-stream';
import { historyFor } from './history';
import { modalitiesOf } from './media';
import { keepStopReason } from './stop-reason';

/** What a model has learned of its service; shared with those that are made of it by binding tools. */
interface Learned {
  /** The organization may have no summaries of reasoning. */
  noSummary: boolean;
  /** There is no Responses API at this address. */
  noResponses: boolean;
}

export class OpenAIChat extends ChatOpenAI {
  /**
   * `otherwise`: fields to ask Chat Completions with, where these are for the Responses API and the service, which may
   * be a proxy, has none.
   */
  constructor(
    private readonly given: ChatOpenAIFields,
    private readonly rules: StreamRules,
    private readonly otherwise: ChatOpenAIFields | null = null,
    private readonly learned: Learned = { noSummary: false, noResponses: false },
  ) {
    // The raw chunks hold what the package leaves out; they go no further than `keepRefusal`.
    super({ ...given, __includeRawResponse: true });
  }

  override get profile() {
    return profileOf(super.profile, this.rules);
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: this['ParsedCallOptions'],
    runManager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    yield* guardedStream(this.rules, options.signal, (signal) =>
      this.answer(messages, { ...options, signal }, runManager),
    );
  }

  /** Asks once more at once where the first refusal tells how the service wants to be asked. */
  private async *answer(
    messages: BaseMessage[],
    options: this['ParsedCallOptions'],
    runManager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    const { learned } = this;
    try {
      yield* this.ask(messages, options, runManager);
    } catch (error) {
      if (isUnverified(error) && !learned.noSummary) learned.noSummary = true;
      else if (lacksResponses(error) && this.otherwise !== null && !learned.noResponses) {
        learned.noResponses = true;
      } else throw error;
      yield* this.ask(messages, options, runManager);
    }
  }

  private ask(
    messages: BaseMessage[],
    options: this['ParsedCallOptions'],
    runManager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    const { noResponses, noSummary } = this.learned;
    if (noResponses && this.otherwise !== null) {
      const plain = new OpenAIChat(this.otherwise, this.rules);
      plain.defaultOptions = this.defaultOptions;
      return plain.ask(messages, options, runManager);
    }
    const history = historyFor(
      this._useResponsesApi(options) ? 'openai-responses' : 'openai-chat',
      messages,
      modalitiesOf(this.rules.facts.abilities, this.rules.model),
    );
    const asked = noSummary ? { ...options, reasoning: { ...options.reasoning, summary: null } } : options;
    return keepRefusal(keepStopReason(super._streamResponseChunks(history, asked, runManager)));
  }

  /** The package's own makes a plain ChatOpenAI, and what this class fixes would be lost as soon as tools are bound. */
  override withConfig(config: Partial<this['ParsedCallOptions']>): OpenAIChat {
    const bound = new OpenAIChat(this.given, this.rules, this.otherwise, this.learned);
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

/** Refused as a page that is not there; of a model that is not there the words speak. */
function lacksResponses(error: unknown): boolean {
  const { status, text } = factsOf(error);
  return (status === 404 || status === 405) && !/model/iu.test(text);
}

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
