import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import type { ChatResult } from '@langchain/core/outputs';

/** One answer of the model: text, calls, or both. */
export type ScriptedStep = {
  /** The provider's id for the answer; default: a new one. */
  id?: string;
  /** Default: none. */
  text?: string;
  /** Tool calls. Default: none. */
  calls?: {
    /** Default: made of the numbers of the request and of the call. */
    id?: string;
    /** Name of the tool. */
    name: string;
    /** Arguments of the call. Nothing checks them against the tool here. */
    args: Record<string, unknown>;
  }[];
};

/** A chat model for tests. It answers with the steps of a script, selected by its input messages. */
export class ScriptedModel extends BaseChatModel {
  /** The messages of every request, in order. */
  readonly requests: BaseMessage[][] = [];
  private count = 0;

  /** `next` returns the answer to each request. `request` counts from 0. What it throws is the error of that request. */
  constructor(private readonly next: (messages: BaseMessage[], request: number) => ScriptedStep) {
    super({});
  }

  /** The provider's name in LangChain: always `scripted`. */
  override _llmType(): string {
    return 'scripted';
  }

  override bindTools(_tools?: readonly unknown[]): this {
    return this;
  }

  /** Called by LangChain. Records the request and returns the next step as one message, without streaming. */
  override async _generate(messages: BaseMessage[]): Promise<ChatResult> {
    this.requests.push(messages);
    const request = this.count++;
    const { id, text = '', calls = [] } = this.next(messages, request);
    const message = new AIMessage({
      id: id ?? `answer-${request}-${Math.random()}`,
      content: text,
      tool_calls: calls.map((call, index) => ({
        id: call.id ?? `call-${request}-${index}`,
        name: call.name,
        args: call.args,
        type: 'tool_call' as const,
      })),
    });
    return { generations: [{ text, message }] };
  }
}
