import type { HumanMessage } from '@langchain/core/messages';
import { createMiddleware } from 'langchain';

/**
 * The person's messages for a working agent. Called before each model request, once every call of the last step has its
 * result. Returned messages belong to the graph from then on, with the same ids.
 */
export type TakeQueued = () => readonly HumanMessage[] | Promise<readonly HumanMessage[]>;

/**
 * Lets the person steer: messages sent while the agent works join the history at the next safe point. The step's checkpoint
 * saves them before the model request.
 */
export function createSteeringMiddleware(options: { takeQueued: TakeQueued }) {
  return createMiddleware({
    name: 'steering',
    beforeModel: async () => {
      const messages = await options.takeQueued();
      return messages.length === 0 ? undefined : { messages: [...messages] };
    },
  });
}
