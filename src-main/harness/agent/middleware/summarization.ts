import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { Command, ReducedValue, StateSchema } from '@langchain/langgraph';
import { createMiddleware } from 'langchain';
import { z } from 'zod';
import {
  amount,
  anyObject,
  anyText,
  anything,
  type Checks,
  checkOptions,
  flag,
  func,
  objectWith,
  positive,
  text,
} from '../../../base/check-options';
import { compactConversationTool } from '../../tools/compact-conversation';
import {
  Compaction,
  compactionOf,
  compactionsReducer,
  eventOf,
  type SummarizationEvent,
} from '../context/compaction';
import { noteKeeper } from '../context/effective';
import {
  ContextKeeper,
  type ContextState,
  type ContextUpdate,
  type SummarizationOptions,
} from '../context/keeper';
import { tokensOfText, tokensOfTools } from '../context/tokens';
import { backendCheck, modelCheck } from '../option-checks';
import description from '../prompts/compact_conversation.md?raw';

export type { SummarizationOptions } from '../context/keeper';

const CHECKS: Checks<SummarizationOptions> = {
  model: modelCheck,
  backend: backendCheck,
  // Sizes have errors of their own.
  trigger: anything,
  keep: anything,
  summaryPrompt: anyText,
  trimTokensToSummarize: positive,
  truncateArgsSettings: objectWith({
    trigger: anything,
    keep: anything,
    maxLength: amount,
    truncationText: anyText,
  }),
  historyPathPrefix: text,
  session: text,
  maxInputTokens: func,
  isContextOverflow: func,
  pinned: func,
  isUndone: func,
  recorded: func,
  tool: flag,
  onCompacting: func,
  onCompacted: func,
  onAnswer: func,
  invoke: func,
  writeOptions: anyObject,
};

/** Attempts to fit a request that the provider found too long. */
const OVERFLOW_ROUNDS = 3;

const contextState = new StateSchema({
  /**
   * All summaries of the thread, oldest first. The newest one that was not undone applies. An update adds those whose id is
   * new.
   */
  _compactions: new ReducedValue(z.array(Compaction).default([]), {
    inputSchema: z.array(Compaction),
    reducer: compactionsReducer,
  }),
  /** Old messages that show only the start of long arguments. Undefined: none do. */
  _argumentsCut: z
    .object({
      /** Index of the first message that is shown in full. */
      before: z.number(),
      /** Number of messages in the thread when this was decided. */
      total: z.number(),
    })
    .optional(),
  /** The last summary, for the published package and from it. */
  _summarizationEvent: z.custom<SummarizationEvent>().optional(),
});

/**
 * Keeps every request within the model's window. When it fills up, the long arguments of old write and edit calls are cut
 * first. Then a summary replaces the older messages, and a file keeps them in full. The thread's state keeps all messages;
 * only the model's view changes. Decisions are added to the state, never rewritten.
 */
export function createSummarizationMiddleware(options: SummarizationOptions) {
  checkOptions('createSummarizationMiddleware', options, CHECKS, ['backend']);
  const context = new ContextKeeper(options);
  const middleware = createMiddleware({
    name: 'SummarizationMiddleware',
    stateSchema: contextState,
    tools: options.tool === true ? [compactConversationTool(context, description)] : [],
    wrapModelCall: async (request, handler) => {
      const { model, tools, messages, runtime } = request;
      const fixed = tokensOfText(request.systemPrompt ?? '') + tokensOfTools(tools as object[]);
      context.fixedTokens = fixed;
      context.lastModel = model as BaseChatModel;
      const held: ContextState = { ...(request.state as object), messages };
      const update: ContextUpdate = {};
      const recovered = await context.recover(held);
      const theirs = compactionOf(
        (request.state as { _summarizationEvent?: SummarizationEvent })._summarizationEvent,
        messages,
        context.current({ messages, _compactions: compactionsReducer(held._compactions, recovered) }),
      );
      if (theirs !== undefined) recovered.push(theirs);
      if (recovered.length > 0) {
        held._compactions = compactionsReducer(held._compactions, recovered);
        update._compactions = recovered;
      }
      const work = { model: model as BaseChatModel, fixed, signal: runtime.signal };

      const prepared = await context.prepare(held, work);
      const { _compactions: made = [], ...cut } = prepared.update;
      Object.assign(update, cut);
      if (made.length > 0) update._compactions = [...recovered, ...made];
      let { view } = prepared;
      for (let refusals = 0; ; refusals++) {
        try {
          const answer = await handler({ ...request, messages: view });
          // The answer is already in the state. Add the decisions about the context.
          return Object.keys(update).length === 0 ? answer : new Command({ update: withEvent(update) });
        } catch (error) {
          if (!context.isContextOverflow(error) || refusals >= OVERFLOW_ROUNDS) throw error;
          const after = await context.shrink({ ...held, ...merged(held, update) }, work, refusals, view);
          if (after.compaction !== undefined)
            update._compactions = [...(update._compactions ?? []), after.compaction];
          view = after.view;
        }
      }
    },
  });
  return noteKeeper(middleware, context);
}

/** With the newest summary also as the published package keeps it. */
function withEvent(update: ContextUpdate) {
  const newest = update._compactions?.at(-1);
  return newest === undefined ? { ...update } : { ...update, _summarizationEvent: eventOf(newest) };
}

const merged = (held: ContextState, update: ContextUpdate) => ({
  _compactions: compactionsReducer(held._compactions, update._compactions),
});
