import { type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { Command, MemorySaver } from '@langchain/langgraph';
import { createGate } from '../../../../approvals/gate';
import type { Decision } from '../../../../contract/approvals';
import { memoryBackend } from '../../../../harness/agent/testing/memory-backend';
import { ScriptedModel, type ScriptedStep } from '../../../../harness/agent/testing/scripted-model';
import type { CallJournal, StoredResult } from '../../../threads/journal';
import type { AgentObserver } from '../../agent-observer';
import type { ApprovalInterrupt, ApprovalResume } from '../../middleware/ask-person';
import { createThreadAgent, type ThreadAgentOptions } from '../thread-agent';

export const FOLDER = '/home/me/project';

export function memoryJournal(): CallJournal & { table: Map<string, StoredResult | null> } {
  const table = new Map<string, StoredResult | null>();
  return {
    table,
    begin: (callId) => void table.set(callId, null),
    forget: () => undefined,
    isUnfinished: (callId) => table.get(callId) === null,
    finish: (callId, result) => void table.set(callId, result),
    resultOf: (callId) => table.get(callId) ?? undefined,
  };
}

export function setUp(
  next: (messages: BaseMessage[], request: number) => ScriptedStep,
  more: Partial<Pick<ThreadAgentOptions, 'isRefusal' | 'isKnownCall' | 'memory' | 'skills'>> = {},
) {
  const files = new Map<string, string>();
  const commands: string[] = [];
  const backend = memoryBackend(files, async (command) => {
    commands.push(command);
    return { output: `ran ${command}`, exitCode: 0, truncated: false };
  });
  const told: string[] = [];
  const name = (agent: { name: string } | null) => (agent === null ? '' : `${agent.name}/`);
  const observer: AgentObserver = {
    modelStarted: (agent) => void told.push(`${name(agent)}model started`),
    modelDelta: () => {},
    modelEnded: (agent) => void told.push(`${name(agent)}model ended`),
    modelFailed: (agent) => void told.push(`${name(agent)}model failed`),
    approvalRequested: (agent, call) => void told.push(`${name(agent)}asked ${call.callId}`),
    toolStarted: (agent, callId) => void told.push(`${name(agent)}started ${callId}`),
    toolEnded: (agent, callId, end) => void told.push(`${name(agent)}${end.status} ${callId}`),
    todosChanged: (_agent, todos) => void told.push(`todos ${todos.length}`),
  };
  const journal = memoryJournal();
  const model = new ScriptedModel(next);
  const checkpointer = new MemorySaver();
  const config = { configurable: { thread_id: 't' } };
  // A new agent each time, as for each turn of the app.
  const agent = () =>
    createThreadAgent({
      model,
      systemPrompt: 'You are under test.',
      backend,
      gate: createGate({ places: { folder: FOLDER, memories: '/memories' }, backend, timeoutSeconds: 120 }),
      journal,
      observer,
      isIncomplete: () => false,
      threadId: 't',
      checkpointer,
      ...more,
    });
  const waiting = async () => {
    const state = await agent().graph.getState(config);
    // The graph lists an approval until its whole step is done; the journal knows which were settled.
    return state.tasks
      .flatMap((task) =>
        task.interrupts.map((i) => ({ id: i.id ?? '', value: i.value as ApprovalInterrupt })),
      )
      .filter(({ value }) => journal.resultOf(value.callId) === undefined);
  };
  const resume = async (decisions: Record<string, Decision>) => {
    const open = await waiting();
    const map: Record<string, ApprovalResume> = {};
    for (const { id, value } of open) {
      const decision = decisions[value.callId];
      if (decision) map[id] = { decision };
    }
    return agent().graph.invoke(new Command({ resume: map }), config);
  };
  const say = (text: string) => agent().graph.invoke({ messages: [new HumanMessage(text)] }, config);
  return { agent, say, resume, waiting, files, commands, told, journal, model, config };
}

export const results = (messages: BaseMessage[]) =>
  messages
    .filter((m) => ToolMessage.isInstance(m))
    .map((m) => `${m.tool_call_id} ${m.status ?? 'success'}: ${m.text}`);
