// The two compared agents: ours as the app creates it for each turn, and LangChain's alone with the same tools.

import { setImmediate } from 'node:timers/promises';
import { type BaseMessage, HumanMessage } from '@langchain/core/messages';
import type { ChatResult } from '@langchain/core/outputs';
import type { BaseCheckpointSaver } from '@langchain/langgraph';
import { createAgent, tool } from 'langchain';
import { z } from 'zod';
import { createGate } from '../../src-main/approvals/gate';
import { CallId, ThreadId } from '../../src-main/contract/ids';
import { optional } from '../../src-main/contract/shared/optional';
import { RECURSION_LIMIT } from '../../src-main/harness/agent/recursion-limit';
import { ScriptedModel, type ScriptedStep } from '../../src-main/harness/agent/testing/scripted-model';
import { CompositeBackend, type ExecuteResponse, StateBackend } from '../../src-main/harness/backends';
import systemPrompt from '../../src-main/host/settings/system-prompt.md?raw';
import type { CallJournal, StoredResult } from '../../src-main/host/threads/journal';
import type { AgentObserver } from '../../src-main/host/turns/agent-observer';
import { createThreadAgent } from '../../src-main/host/turns/run/thread-agent';
import type { Storage } from '../../src-main/storage';

/** A folder that no script below touches: everything they write is scratch, which never asks. */
const FOLDER = '/home/me/project';

export type Script = (messages: BaseMessage[], request: number) => ScriptedStep;

const silent: AgentObserver = {
  modelStarted: () => undefined,
  modelDelta: () => undefined,
  modelEnded: () => undefined,
  modelFailed: () => undefined,
  approvalRequested: () => undefined,
  toolStarted: () => undefined,
  toolEnded: () => undefined,
  todosChanged: () => undefined,
};

/** The app's journal, on the same database. */
function journalOf({ journal }: Storage, threadId: string): CallJournal {
  const thread = ThreadId.parse(threadId);
  const lookup = (callId: string) => journal.lookup(thread, CallId.parse(callId));
  return {
    begin: (callId, digest) => void journal.begin(thread, CallId.parse(callId), digest),
    forget: () => undefined,
    isUnfinished: (callId) => lookup(callId)?.state === 'started',
    finish: (callId, result) => journal.finish(thread, CallId.parse(callId), JSON.stringify(result)),
    resultOf: (callId) => {
      const entry = lookup(callId);
      return entry?.state === 'finished' ? (JSON.parse(entry.result) as StoredResult) : undefined;
    },
  };
}

/** As in a turn of the app without news: each is checked, and the check has its cost. */
const unchanged = {
  takeQueued: () => [],
  memory: ['/memories/AGENTS.md'],
  skills: ['/memories/skills/'],
  // The scripts below never reach the limit; a summary is not part of a step.
  context: { trigger: { type: 'messages' as const, value: 1_000_000 }, pinned: () => new Set<string>() },
  requireRead: true,
};

/** Allows `execute` without asking, since nobody is there to answer; everything else is judged as in the app. */
export function ours(options: {
  storage: Storage;
  threadId: string;
  model: ScriptedModel;
  execute?: (command: string) => ExecuteResponse;
}) {
  const { storage, threadId, model, execute } = options;
  const state = new StateBackend();
  const runner = Object.assign(new StateBackend(), {
    id: 'bench',
    execute: async (command: string) => execute?.(command) ?? { output: '', exitCode: 0, truncated: false },
  });
  const backend = new CompositeBackend(state, {}, { execute: runner });
  const gate = createGate({
    places: { folder: FOLDER, memories: '/memories' },
    backend,
    timeoutSeconds: 120,
  });
  return createThreadAgent({
    ...unchanged,
    model,
    systemPrompt,
    backend,
    gate: {
      judge: async (call, signal, startedBefore) =>
        call.tool === 'execute'
          ? { verdict: 'allow', reason: [], outside: false }
          : gate.judge(call, signal, startedBefore),
    },
    journal: journalOf(storage, threadId),
    observer: silent,
    isIncomplete: () => false,
    threadId,
    checkpointer: storage.checkpointer,
  });
}

/** LangChain's agent with tools of the same names that do almost nothing. */
export function plain(model: ScriptedModel, checkpointer?: BaseCheckpointSaver) {
  const files = new Map<string, string>();
  const ls = tool(async ({ path }: { path: string }) => `No files found in ${path}`, {
    name: 'ls',
    description: 'Lists files.',
    schema: z.object({ path: z.string() }),
  });
  const write = tool(
    async ({ file_path, content }: { file_path: string; content: string }) => {
      files.set(file_path, content);
      return `Successfully wrote to '${file_path}'`;
    },
    {
      name: 'write_file',
      description: 'Writes a file.',
      schema: z.object({ file_path: z.string(), content: z.string() }),
    },
  );
  const agent = createAgent({
    model,
    systemPrompt,
    tools: [ls, write],
    ...optional({ checkpointer }),
  });
  return agent.withConfig({ recursionLimit: RECURSION_LIMIT });
}

/** The published package's agent with its defaults, and a tool that returns its input. */
export async function peer(
  model: ScriptedModel,
  checkpointer: BaseCheckpointSaver,
  output: (command: string) => string = () => 'ok',
) {
  const { createDeepAgent: published } = await import('deepagents');
  const run = tool(async ({ command }: { command: string }) => output(command), {
    name: 'run',
    description: 'Runs a command.',
    schema: z.object({ command: z.string() }),
  });
  return published({ model, systemPrompt, checkpointer, tools: [run] });
}

/** One call of `ls`, then an answer. */
export const oneCall: Script = (messages) =>
  HumanMessage.isInstance(messages.at(-1))
    ? { calls: [{ name: 'ls', args: { path: '/scratch' } }] }
    : { text: 'Done.' };

/** Answers immediately, but first yields to the event loop, as a remote model does: otherwise no stall would show. */
class YieldingModel extends ScriptedModel {
  override async _generate(messages: BaseMessage[]): Promise<ChatResult> {
    await setImmediate();
    return super._generate(messages);
  }
}

export const scripted = (script: Script): ScriptedModel => new YieldingModel(script);

/** As the app runs a turn: each step is on the disk before the next one starts. */
export const config = (threadId: string) => ({
  configurable: { thread_id: threadId },
  durability: 'sync' as const,
});

export const say = (text: string) => new HumanMessage(text);
