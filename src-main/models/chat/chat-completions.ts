import type { CallbackManagerForLLMRun } from '@langchain/core/callbacks/manager';
import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import type { ChatGenerationChunk } from '@langchain/core/outputs';
import { ChatOpenAICompletions, type ChatOpenAIFields, type OpenAIClient } from '@langchain/openai';
import { answeredBy } from './answered-by';
import { type Lessons, learnFrom } from './chat-lessons';
import { asTaught, NO_REASONING, type Reasoning } from './chat-request';
import { documentedChunks } from './documented-chunks';

type Streaming = OpenAIClient.Chat.ChatCompletionCreateParamsStreaming;
type NotStreaming = OpenAIClient.Chat.ChatCompletionCreateParamsNonStreaming;
type Chunk = OpenAIClient.Chat.Completions.ChatCompletionChunk;
type Whole = OpenAIClient.Chat.Completions.ChatCompletion;
type Options = OpenAIClient.RequestOptions;

/** Reasoning of the history's answers, on its way through the package to the request. */
const REASONING = Symbol('reasoning');

/**
 * Chat Completions of any server. Answers are read in whatever shape they come. Their reasoning is sent back, because
 * DeepSeek refuses calls without it (https://api-docs.deepseek.com/guides/thinking_mode). A request that a server
 * refuses for its form is repeated in another one, as are later ones.
 */
export class ChatCompletions extends ChatOpenAICompletions {
  constructor(
    fields: ChatOpenAIFields,
    /** `provider:name` of the model. */
    private readonly stamp: string,
    private readonly lessons: Lessons,
  ) {
    super(fields);
  }

  override _streamResponseChunks(
    messages: BaseMessage[],
    options: this['ParsedCallOptions'],
    runManager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    const reasoning = messages
      .filter((message) => AIMessage.isInstance(message))
      .map((message): Reasoning => {
        const { reasoning_content: text } = message.additional_kwargs;
        return typeof text === 'string' ? { text, isOwn: answeredBy(message) === this.stamp } : NO_REASONING;
      });
    return super._streamResponseChunks(
      messages,
      Object.assign({}, options, { [REASONING]: reasoning }),
      runManager,
    );
  }

  override completionWithRetry(request: Streaming, options?: Options): Promise<AsyncIterable<Chunk>>;
  override completionWithRetry(request: NotStreaming, options?: Options): Promise<Whole>;
  override async completionWithRetry(
    request: Streaming | NotStreaming,
    options: Options & { [REASONING]?: Reasoning[] } = {},
  ): Promise<AsyncIterable<Chunk> | Whole> {
    if (request.stream !== true) return super.completionWithRetry(request, options);
    const { [REASONING]: reasoning = [], ...rest } = options;
    for (;;) {
      try {
        const asked = asTaught(request, reasoning, this.lessons);
        return documentedChunks(await super.completionWithRetry(asked, rest));
      } catch (error) {
        if (!learnFrom(error, this.lessons)) throw error;
      }
    }
  }
}
