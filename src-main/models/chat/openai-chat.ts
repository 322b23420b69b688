import type { CallbackManagerForLLMRun } from '@langchain/core/callbacks/manager';
import type { BaseMessage } from '@langchain/core/messages';
import type { ChatGenerationChunk, ChatResult } from '@langchain/core/outputs';
import { ChatOpenAI, type ChatOpenAIFields } from '@langchain/openai';
import { factsOf } from '../error-facts';
import { ChatCompletions } from './chat-completions';
import { lessonsFor } from './chat-lessons';
import { guardedStream, profileOf, type StreamRules, wholeOf } from './guarded-stream';
import { historyFor } from './history';
import { modalitiesOf } from './media';
import { Responses } from './responses';
import { keepStopReason } from './stop-reason';

/** Facts learned about the service. Copies of the model with bound tools share them. */
interface Learned {
  /** The organization may not get reasoning summaries. */
  noSummary: boolean;
  /** This address has no Responses API. */
  noResponses: boolean;
}

export class OpenAIChat extends ChatOpenAI {
  /**
   * `otherwise`: fields for Chat Completions, if the main ones are for the Responses API and the service, possibly a proxy,
   * does not have it.
   */
  constructor(
    private readonly given: ChatOpenAIFields,
    private readonly rules: StreamRules,
    private readonly otherwise: ChatOpenAIFields | null = null,
    private readonly learned: Learned = { noSummary: false, noResponses: false },
  ) {
    // The raw chunks contain data that the package drops; they go no further than `keepRefusal`.
    const fields = { ...given, __includeRawResponse: true };
    super({ ...fields, completions: completionsOf(fields, rules), responses: new Responses(fields) });
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

  /** Retries immediately if the first refusal shows how to ask. */
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

  /** The package's version creates a plain ChatOpenAI, so the fixes of this class would be lost once tools are bound. */
  override withConfig(config: Partial<this['ParsedCallOptions']>): OpenAIChat {
    const bound = new OpenAIChat(this.given, this.rules, this.otherwise, this.learned);
    bound.defaultOptions = { ...this.defaultOptions, ...config };
    return bound;
  }

  /**
   * Always streams, so that a long answer does not time out as silence. The package's own streaming counts tokens with a
   * table that it downloads from another server.
   */
  override async _generate(
    messages: BaseMessage[],
    options: this['ParsedCallOptions'],
    runManager?: CallbackManagerForLLMRun,
  ): Promise<ChatResult> {
    return { generations: [await wholeOf(this._streamResponseChunks(messages, options, runManager))] };
  }
}

function completionsOf(fields: ChatOpenAIFields, { provider, model }: StreamRules): ChatCompletions {
  const lessons = lessonsFor(fields.configuration?.baseURL ?? '', model);
  return new ChatCompletions(fields, `${provider}:${model}`, lessons);
}

/** OpenAI provides reasoning summaries only to verified organizations. */
const isUnverified = (error: unknown): boolean =>
  error instanceof Error && /must be verified to generate reasoning summar/iu.test(error.message);

/** Refused as a missing page; for a missing model, the message says so. */
function lacksResponses(error: unknown): boolean {
  const { status, text } = factsOf(error);
  return (status === 404 || status === 405) && !/model/iu.test(text);
}

/** Chat Completions streams refusals, and some servers stream reasoning, in fields that the package ignores. */
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
