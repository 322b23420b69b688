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

/** Characters of one piece of a streamed answer: about two words, as language models stream. */
const PIECE = 12;

/** Assigned rather than constructed: the package's types know the field only for some message structures. */
const NO_USAGE = { usage_metadata: { input_tokens: 0, output_tokens: 0, total_tokens: 0 } };

/**
 * The offline assistant: no language model, but the same interface, so that everything around a model can be used and
 * tested without one. Reads a small command language (parse.ts) and answers with the tool calls that a model would make.
 * Knows nothing but the conversation it is handed; the same conversation always gets the same answer, with new ids.
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

  /** It reads words only. */
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
      // The loop gets a turn between pieces, so that stopping works here as with a model on the network.
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

/** A message with the id of an earlier one would replace it in the conversation. */
const newMessageId = () => `offline-${randomUUID()}`;
const newCallId = () => `call_${randomUUID().replaceAll('-', '').slice(0, 24)}`;

function nameOf(tool: BindToolsInput): string {
  if ('name' in tool && typeof tool.name === 'string') return tool.name;
  const { function: definition } = tool as { function?: { name?: unknown } };
  return typeof definition?.name === 'string' ? definition.name : '';
}
