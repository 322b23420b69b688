import type { CallbackManagerForLLMRun } from '@langchain/core/callbacks/manager';
import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import type { ChatGenerationChunk } from '@langchain/core/outputs';
import { ChatOpenAICompletions, type ChatOpenAIFields, type OpenAIClient } from '@langchain/openai';
import { factsOf } from '../error-facts';
import { answeredBy } from './answered-by';
import { documentedChunks } from './documented-chunks';

type Streaming = OpenAIClient.Chat.ChatCompletionCreateParamsStreaming;
type NotStreaming = OpenAIClient.Chat.ChatCompletionCreateParamsNonStreaming;
type Chunk = OpenAIClient.Chat.Completions.ChatCompletionChunk;
type Whole = OpenAIClient.Chat.Completions.ChatCompletion;
type Options = OpenAIClient.RequestOptions;
type Message = Streaming['messages'][number] & { reasoning_content?: string };

/** Fields that an answer does not depend on. Strict servers refuse a whole request because of one that they do not know. */
const OPTIONAL = ['stream_options', 'parallel_tool_calls', 'prompt_cache_key', 'reasoning_content'] as const;
type OptionalField = (typeof OPTIONAL)[number];

/** What a server's refusals have taught. */
export interface Lessons {
  refused: Set<OptionalField>;
  /** Every answer in the history must have reasoning, even an empty one. */
  needsReasoning: boolean;
}

/** By address and model, because each turn makes a new model. */
const learned = new Map<string, Lessons>();

export function lessonsFor(address: string, model: string): Lessons {
  const key = `${address} ${model}`;
  const known = learned.get(key) ?? { refused: new Set(), needsReasoning: false };
  learned.set(key, known);
  return known;
}

/** Reasoning of the history's answers, on its way through the package to the request. */
const REASONING = Symbol('reasoning');

/**
 * Chat Completions of any server. Answers are read in whatever shape they come. Their reasoning is sent back, because
 * DeepSeek refuses calls without it (https://api-docs.deepseek.com/guides/thinking_mode). If a server refuses a field, the
 * request is repeated without it, and later ones do not have it.
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
        return typeof text === 'string' ? { text, isOwn: answeredBy(message) === this.stamp } : NONE;
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

interface Reasoning {
  text: string;
  /** This model wrote it. */
  isOwn: boolean;
}

const NONE: Reasoning = { text: '', isOwn: false };

/** `reasoning`: of the assistant's messages, in order. */
function asTaught(request: Streaming, reasoning: readonly Reasoning[], lessons: Lessons): Streaming {
  const { refused, needsReasoning } = lessons;
  let answers = 0;
  const messages = request.messages.map(inPlainText).map((message): Message => {
    // Audio of an answer is a message of its own.
    if (message.role !== 'assistant' || message.audio) return message;
    const { text, isOwn } = reasoning[answers++] ?? NONE;
    // LangChain sets the name to that of a node of its graph.
    const { name: _, ...own } = message;
    const isSent = needsReasoning || (isOwn && text !== '' && !refused.has('reasoning_content'));
    return isSent ? { ...own, reasoning_content: text } : own;
  });
  const asked = { ...request, messages };
  for (const field of refused) Reflect.deleteProperty(asked, field);
  return asked;
}

/** Many servers take a list of parts only from the user, and only if it has more than text. */
function inPlainText<M extends Streaming['messages'][number]>(message: M): M {
  const { content } = message;
  if (!Array.isArray(content)) return message;
  const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  if (texts.length < content.length) return message;
  const text = texts.reduce((all, next) => (/^\n|^$/u.test(next) ? all + next : `${all}\n${next}`));
  return { ...message, content: text };
}

/** Whether the refusal says how to ask again. */
function learnFrom(error: unknown, lessons: Lessons): boolean {
  const { status, text } = factsOf(error);
  if (status !== 400 && status !== 422) return false;
  if (/reasoning_content/u.test(text) && /must be passed back|missing/iu.test(text)) {
    const isNew = !lessons.needsReasoning;
    lessons.needsReasoning = true;
    return isNew;
  }
  const field = OPTIONAL.find((one) => text.includes(one) && !lessons.refused.has(one));
  if (field !== undefined) lessons.refused.add(field);
  return field !== undefined;
}
