// The graphs of LangGraph's development server in the tests, bundled into the folder where it is installed.
import { setTimeout as delay } from 'node:timers/promises';
import { type AIMessage, type BaseMessage, HumanMessage } from '@langchain/core/messages';
import { createAgent } from 'langchain';
import { createCompletionCallbackMiddleware } from '../../middleware/completion-callback';
import { ScriptedModel } from '../scripted-model';

const askedFor = (messages: readonly BaseMessage[]) =>
  messages.findLast((message) => HumanMessage.isInstance(message))?.text ?? '';

/** Answers immediately, and works for a minute when it is told to be slow, until it is interrupted. */
class Worker extends ScriptedModel {
  constructor() {
    super((messages) => ({ text: `Report on: ${askedFor(messages)}` }));
  }

  override async _generate(messages: BaseMessage[], options?: this['ParsedCallOptions']) {
    const { signal } = options ?? {};
    if (askedFor(messages).includes('slowly')) await delay(60_000, undefined, signal ? { signal } : {});
    return super._generate(messages);
  }
}

/** The address of this server, in which the parent's thread is too. */
const url = process.env.OWN_URL ?? '';

export const worker = createAgent({
  model: new Worker(),
  tools: [],
  middleware: [createCompletionCallbackMiddleware({ callbackGraphId: 'parent', url })],
});

/** Somebody's agent that is told what its sub-agents have finished. */
export const parent = createAgent({
  model: new ScriptedModel((messages) => ({ text: `Noted: ${(messages.at(-1) as AIMessage).text}` })),
  tools: [],
});
