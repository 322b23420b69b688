import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { CallbackManagerForLLMRun } from '@langchain/core/callbacks/manager';
import type { BaseLanguageModelInput } from '@langchain/core/language_models/base';
import {
  BaseChatModel,
  type BaseChatModelCallOptions,
  type BaseChatModelParams,
  type BindToolsInput,
} from '@langchain/core/language_models/chat_models';
import { AIMessage, AIMessageChunk, type BaseMessage } from '@langchain/core/messages';
import { ChatGenerationChunk, type ChatResult } from '@langchain/core/outputs';
import type { Runnable } from '@langchain/core/runnables';
import { type Answer, decide } from './decide';

export interface OfflineCallOptions extends BaseChatModelCallOptions {
  tools?: BindToolsInput[];
}

/** Characters in one piece of a streamed answer: about two words, as with language models. */
const PIECE = 12;

/** Assigned separately: the package's types have the field only for some message structures. */
const NO_USAGE = { usage_metadata: { input_tokens: 0, output_tokens: 0, total_tokens: 0 } };

/**
 * The offline assistant: it has a model's interface but no language model, so that everything around a model can be used and
 * tested without one. It reads a small command language (parse.ts) and answers with the tool calls that a model would make.
 * It knows only the conversation; equal conversations get equal answers, with new ids.
 */
export class OfflineModel extends BaseChatModel<OfflineCallOptions> {
  private readonly platform: NodeJS.Platform;

  constructor(fields: BaseChatModelParams & { platform?: NodeJS.Platform } = {}) {
    super(fields);
    this.platform = fields.platform ?? process.platform;
  }

  static override lc_name(): string {
    return 'OfflineModel';
  }

  override _llmType(): string {
    return 'offline';
  }

  /** It accepts only text. */
  override get profile() {
    return { imageInputs: false, audioInputs: false, videoInputs: false, pdfInputs: false };
  }

  override bindTools(
    tools: BindToolsInput[],
    kwargs?: Partial<OfflineCallOptions>,
  ): Runnable<BaseLanguageModelInput, AIMessageChunk, OfflineCallOptions> {
    return this.withConfig({ ...kwargs, tools });
  }

  override async _generate(messages: BaseMessage[], options: this['ParsedCallOptions']): Promise<ChatResult> {
    options.signal?.throwIfAborted();
    const answer = this.answer(messages, options);
    const calls = 'calls' in answer ? answer.calls : [];
    const message = new AIMessage({
      id: newMessageId(),
      content: 'text' in answer ? answer.text : '',
      tool_calls: calls.map((call) => ({ ...call, id: newCallId(), type: 'tool_call' as const })),
      response_metadata: metadataOf(answer),
    });
    Object.assign(message, NO_USAGE);
    return { generations: [{ text: message.text, message }] };
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: this['ParsedCallOptions'],
    runManager?: CallbackManagerForLLMRun,
  ): AsyncGenerator<ChatGenerationChunk> {
    const answer = this.answer(messages, options);
    const id = newMessageId();
    for (const message of piecesOf(answer, id)) {
      // Yields to the event loop between pieces, so that stopping works as with a remote model.
      await setImmediate();
      options.signal?.throwIfAborted();
      const chunk = new ChatGenerationChunk({ text: message.text, message });
      yield chunk;
      await runManager?.handleLLMNewToken(chunk.text, undefined, undefined, undefined, undefined, { chunk });
    }
  }

  private answer(messages: BaseMessage[], options: this['ParsedCallOptions']): Answer {
    const tools = options.tools === undefined ? null : new Set(options.tools.map(nameOf));
    return decide(messages, { tools, platform: this.platform });
  }
}

function* piecesOf(answer: Answer, id: string): Generator<AIMessageChunk> {
  if ('calls' in answer) {
    for (const [index, { name, args }] of answer.calls.entries()) {
      const call = {
        type: 'tool_call_chunk' as const,
        index,
        id: newCallId(),
        name,
        args: JSON.stringify(args),
      };
      yield new AIMessageChunk({ id, content: '', tool_call_chunks: [call] });
    }
  } else {
    const characters = [...answer.text];
    for (let at = 0; at < characters.length; at += PIECE) {
      yield new AIMessageChunk({ id, content: characters.slice(at, at + PIECE).join('') });
    }
  }
  const end = new AIMessageChunk({ id, content: '', response_metadata: metadataOf(answer) });
  yield Object.assign(end, NO_USAGE);
}

const metadataOf = (answer: Answer) => ({
  model_provider: 'offline',
  model_name: 'guide',
  finish_reason: 'calls' in answer ? 'tool_calls' : 'stop',
});

/** A message with an existing id would replace the earlier one in the conversation. */
const newMessageId = () => `offline-${randomUUID()}`;
const newCallId = () => `call_${randomUUID().replaceAll('-', '').slice(0, 24)}`;

function nameOf(tool: BindToolsInput): string {
  if ('name' in tool && typeof tool.name === 'string') return tool.name;
  const { function: definition } = tool as { function?: { name?: unknown } };
  return typeof definition?.name === 'string' ? definition.name : '';
}
