import { type BaseMessage, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages';
import type { Reasons } from '../../../contract/shared/reasons';
import { OfflineModel } from '../offline-model';

export const FOLDER = '/home/me/project';
export const PROMPT = new SystemMessage(`You are the agent.\n\nProject folder: ${FOLDER}\n`);

type Result = string | { error: string; refused?: Reasons };
/** The fake tools' answers, by name. */
export type Tools = Record<string, (args: Record<string, unknown>) => Result>;

export interface Played {
  /** Each model message with calls, as `name(arguments)`. */
  rounds: [name: string, args: Record<string, unknown>][][];
  text: string;
  messages: BaseMessage[];
}

/** The loop of an agent without the agent: answers calls until a message has none. */
export async function play(request: string, tools: Tools, before: BaseMessage[] = [PROMPT]): Promise<Played> {
  const model = new OfflineModel({ platform: 'linux' });
  const messages = [...before, new HumanMessage(request)];
  const rounds: Played['rounds'] = [];
  for (let round = 0; round < 20; round += 1) {
    const answer = await model.invoke(messages);
    messages.push(answer);
    const calls = answer.tool_calls ?? [];
    if (calls.length === 0) return { rounds, text: answer.text, messages };
    rounds.push(calls.map(({ name, args }) => [name, args]));
    for (const { name, args, id } of calls) messages.push(resultOf(tools[name]?.(args) ?? 'done', name, id));
  }
  throw new Error('The model did not come to an end.');
}

const resultOf = (result: Result, name: string, id = '') =>
  new ToolMessage({
    name,
    tool_call_id: id,
    status: typeof result === 'string' ? 'success' : 'error',
    content: typeof result === 'string' ? result : result.error,
    ...(typeof result === 'string' ? {} : { artifact: { refused: result.refused } }),
  });

export const numbered = (...lines: string[]) =>
  lines.map((line, index) => `${String(index + 1).padStart(6)}\t${line}`).join('\n');
export const exits = (code: number, output = 'out') =>
  `${output}\n[Command ${code === 0 ? 'succeeded' : 'failed'} with exit code ${code}]`;
