import { AIMessage, type BaseMessage, ToolMessage } from '@langchain/core/messages';
import { type ToolRuntime, tool } from '@langchain/core/tools';
import { Command } from '@langchain/langgraph';
import { initChatModel } from 'langchain';
import { z } from 'zod';
import { isReached } from '../agent/context/budget';
import { eventOf } from '../agent/context/compaction';
import type { ContextKeeper, ContextState } from '../agent/context/keeper';
import { tokensOfMessages } from '../agent/context/tokens';
import { compactConversation } from './descriptors/compact-conversation';

/** The part of the trigger that must be reached before the tool may compact. */
const FROM = 0.5;

const NoInput = z.object({});

/** `compact_conversation`: lets the model free context space at a good moment, such as between two tasks. */
export function compactConversationTool(context: ContextKeeper, description: string) {
  return tool(
    async (_input: Record<string, never>, runtime: ToolRuntime) => {
      const held = runtime.state as ContextState;
      const answer = (content: string, status: 'success' | 'error' = 'success') =>
        new ToolMessage({
          content,
          status,
          name: compactConversation.name,
          tool_call_id: runtime.toolCallId,
        });
      const { model: given } = context.options;
      if (given === undefined)
        return answer('Compaction failed: there is no model to summarize with.', 'error');
      const model = typeof given === 'string' ? await initChatModel(given) : given;
      // The call itself is in the last message, which stays together with its siblings.
      const messages = held.messages.slice(0, lastAnswer(held.messages));
      const budget = context.budgetOf(model);
      const compaction = context.current({ ...held, messages });
      const view = context.shown({ ...held, messages }, budget);
      const tokens = context.fixedTokens + tokensOfMessages(view);
      if (!isReached(budget, tokens, view.length, FROM))
        return answer('Nothing to compact yet — conversation is within the token budget.');
      const made = await context.compact(
        { ...held, messages },
        { model, fixed: context.fixedTokens, signal: runtime.signal },
        {
          budget,
          compaction,
          cause: 'agent',
          cut: held._argumentsCut,
        },
      );
      if (made === null) return answer('Nothing to compact yet — conversation is within the token budget.');
      return new Command({
        update: {
          _compactions: [made],
          _summarizationEvent: eventOf(made),
          messages: [
            answer(`Conversation compacted. Summarized ${made.messages} messages into a concise summary.`),
          ],
        },
      });
    },
    { name: compactConversation.name, description, schema: NoInput },
  );
}

const lastAnswer = (messages: readonly BaseMessage[]): number => {
  const index = messages.findLastIndex((message) => AIMessage.isInstance(message));
  return index === -1 ? messages.length : index;
};
