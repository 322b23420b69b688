import type { HumanMessage } from '@langchain/core/messages';
import { createMiddleware } from 'langchain';

/**
 * Messages of the person that are to be told to an agent at work. Called before each of its requests to the model, when
 * every call of the step before has its result. What it answers is the graph's from then on, under the ids that it has.
 */
export type TakeQueued = () => readonly HumanMessage[] | Promise<readonly HumanMessage[]>;

/**
 * Lets the person steer: what was said while the agent worked is put into the history at the next safe point. It is on
 * the disk with the step's checkpoint before the model is asked.
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
