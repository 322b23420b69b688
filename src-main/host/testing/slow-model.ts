import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessageChunk, type BaseMessage } from '@langchain/core/messages';
import { ChatGenerationChunk, type ChatResult } from '@langchain/core/outputs';
import type { Host } from '../host';

/** What a fake model streams: text, calls, or `hang` for a stream that runs until it is stopped. */
export type Part = string | { name: string; args: Record<string, unknown> } | 'hang';

/** A model that streams a script, request by request, and can be paused in the middle of an answer. */
export class SlowModel extends BaseChatModel {
  readonly requests: BaseMessage[][] = [];

  constructor(private script: readonly (readonly Part[])[]) {
    super({});
  }

  /** Starts another script, and forgets the requests. */
  play(script: readonly (readonly Part[])[]): void {
    this.script = script;
    this.requests.splice(0);
  }

  /** Replaces every model that the host would create. */
  static into(host: Host, script: readonly (readonly Part[])[]): SlowModel {
    const fake = new SlowModel(script);
    const create = host.models.create.bind(host.models);
    host.models.create = async (...args) => {
      const made = await create(...args);
      return made.ok ? { ok: true, value: { ...made.value, chat: fake } } : made;
    };
    return fake;
  }

  override _llmType(): string {
    return 'slow';
  }

  override bindTools(): this {
    return this;
  }

  override async _generate(messages: BaseMessage[], options: this['ParsedCallOptions']): Promise<ChatResult> {
    let whole: ChatGenerationChunk | undefined;
    for await (const chunk of this._streamResponseChunks(messages, options))
      whole = whole?.concat(chunk) ?? chunk;
    return { generations: whole === undefined ? [] : [whole] };
  }

  override async *_streamResponseChunks(
    messages: BaseMessage[],
    options: this['ParsedCallOptions'],
    run?: { handleLLMNewToken(...args: unknown[]): Promise<void> },
  ): AsyncGenerator<ChatGenerationChunk> {
    const parts = this.script[this.requests.push(messages) - 1] ?? ['done'];
    for (const [index, part] of parts.entries()) {
      if (part === 'hang') {
        await new Promise((_resolve, reject) => {
          options.signal?.addEventListener('abort', () => reject(options.signal?.reason), { once: true });
        });
        continue;
      }
      const isText = typeof part === 'string';
      const chunk = new ChatGenerationChunk({
        text: isText ? part : '',
        message: new AIMessageChunk({
          id: `answer-${this.requests.length}`,
          content: isText ? part : '',
          ...(isText
            ? {}
            : {
                tool_call_chunks: [
                  {
                    id: `call-${this.requests.length}-${index}`,
                    index,
                    name: part.name,
                    args: JSON.stringify(part.args),
                    type: 'tool_call_chunk' as const,
                  },
                ],
              }),
        }),
      });
      yield chunk;
      await run?.handleLLMNewToken(chunk.text, undefined, undefined, undefined, undefined, { chunk });
    }
  }
}
