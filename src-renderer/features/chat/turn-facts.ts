import type { MemoryChange, ToolCall } from '@contract/conversation';
import type { ToolDisplay } from '@contract/shared/tool-display';
import { wasRefused } from './calls/tool-words';
import type { ByCall, FinishedTurn, NestedMessage } from './segments';

export interface TurnFacts {
  /** Commands that ran, of sub-agents too. */
  commands: ToolCall[];
  memories: MemoryChange[];
  /** Of the requests with a known price. */
  costMicroDollars: number;
  /** A call may have changed files. */
  mayChangeFiles: boolean;
}

/** Calls that change no files. A tool that is not built in may change some. */
const CHANGE_NOTHING = new Set<ToolDisplay | undefined>([
  'read',
  'list',
  'search',
  'match',
  'jobs',
  'job-output',
  'stop-job',
  'plan',
  'compact',
]);

const hasRun = (call: ToolCall): boolean =>
  call.status === 'done' ||
  (call.status === 'failed' && !wasRefused(call)) ||
  (call.status === 'cancelled' && call.startedAt !== undefined);

/** Whether a command failed, or was cut off. */
export const hasFailed = ({ status, exitCode }: ToolCall): boolean =>
  status !== 'done' || (typeof exitCode === 'number' && exitCode !== 0);

/** What the agent and its sub-agents did in a turn. */
export function turnFacts({ answers }: FinishedTurn, nested: ByCall<NestedMessage[]>): TurnFacts {
  const facts: TurnFacts = { commands: [], memories: [], costMicroDollars: 0, mayChangeFiles: false };
  const take = (message: NestedMessage) => {
    if (message.role !== 'agent') return;
    facts.costMicroDollars += message.costMicroDollars ?? 0;
    for (const call of message.calls) {
      for (const inner of nested.get(call.callId) ?? []) take(inner);
      if (!hasRun(call)) continue;
      if (call.display === 'command') facts.commands.push(call);
      if (call.memory) facts.memories.push(call.memory);
      else facts.mayChangeFiles ||= !CHANGE_NOTHING.has(call.display);
    }
  };
  answers.forEach(take);
  return facts;
}
