import type { Project } from '../../../contract/app';
import { COMMAND_KEPT } from '../../../contract/changes';
import { CallId, type ThreadId } from '../../../contract/ids';
import type { CommandSandbox } from '../../../harness';
import { TOOLS } from '../../../harness/tools/catalogue';
import type { AgentAuthor } from '../../../storage/file-changes';
import type { Rehearsals } from '../../project/rehearsals/rehearsals';
import type { CallRehearsals } from '../middleware/rehearsed-call';

/** The layers of one thread's calls, and the sandbox of each call marked to run in one. */
export interface CallLayers extends CallRehearsals {
  /** Null if the call does not run in a layer. */
  sandboxOf(callId: string): CommandSandbox | null;
  /** Whether the person is asked when its command reaches the time limit. */
  asksForTime(callId: string): boolean;
}

export function callLayers(
  rehearsals: Rehearsals,
  { project, threadId, signal }: { project: Project; threadId: ThreadId; signal: AbortSignal },
  /** A call's command and the name of its sub-agent, and what removes secrets from its output. */
  {
    factsOf,
    redact,
  }: {
    factsOf: (callId: string) => { command: string; agent: string | null };
    redact: (callId: string, text: string) => string;
  },
): CallLayers {
  const marked = new Map<string, { asksForTime: boolean }>();
  const authorOf = (id: string): AgentAuthor => {
    const { command, agent } = factsOf(id);
    const tool = TOOLS.execute.name;
    const callId = CallId.parse(id);
    return { by: 'agent', threadId, callId, agent, tool, command: command.slice(0, COMMAND_KEPT) };
  };
  return {
    mark: (callId, asksForTime) => void marked.set(callId, { asksForTime }),
    unmark: async (callId) => {
      marked.delete(callId);
      await rehearsals.abandon(threadId, callId);
    },
    sandboxOf: (callId) => (marked.has(callId) ? rehearsals.sandboxFor(project, threadId, signal) : null),
    asksForTime: (callId) => marked.get(callId)?.asksForTime === true,
    finish: (callId, ran) => rehearsals.finish(threadId, callId, ran, (text) => redact(callId, text)),
    resultOf: (callId) => rehearsals.resultOf(threadId, callId),
    keep: (callId, decision) => rehearsals.keep(project, callId, authorOf(callId), decision),
    keepAutoApproved: (callId) =>
      rehearsals.keep(project, callId, { ...authorOf(callId), autoApproved: true }, {}),
    discard: (callId) => rehearsals.discard(threadId, callId),
  };
}
