import { randomUUID } from 'node:crypto';
import type { AIMessage, BaseMessage } from '@langchain/core/messages';
import { withCallIds } from './with-arguments';

/**
 * The answer with an id of its own for each call: decisions, results and saved files go by it. Some servers number the calls
 * of each answer from 0, or give them no ids. `before`: the messages before the answer.
 */
export function withOwnCallIds(answer: AIMessage, before: readonly BaseMessage[]): AIMessage {
  const given = (answer.tool_calls ?? []).map(({ id }) => id ?? '');
  if (given.length === 0) return answer;
  const used = new Set(['']);
  for (const message of before)
    if (message.type === 'ai')
      for (const { id = '' } of (message as AIMessage).tool_calls ?? []) if (given.includes(id)) used.add(id);
  const ids = given.map((id) => {
    // 29 characters: OpenAI accepts no more than 40.
    const own = used.has(id) ? `call_${randomUUID().replaceAll('-', '').slice(0, 24)}` : id;
    used.add(own);
    return own;
  });
  return ids.every((id, at) => id === given[at]) ? answer : withCallIds(answer, ids);
}
