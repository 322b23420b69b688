import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { MemorySaver } from '@langchain/langgraph';
import { afterEach, describe, expect, it } from 'vitest';
import { type Failure, inTurn } from '../../e2e/providers/script';
import type { ProviderServer } from '../../e2e/providers/server';
import { createGate } from '../approvals/gate';
import { memoryBackend } from '../harness/agent/testing/memory-backend';
import { memoryJournal } from '../host/turns/run/testing/thread-agent';
import { createThreadAgent } from '../host/turns/run/thread-agent';
import { toAppError } from './errors';
import { isIncomplete, isRefusal } from './incomplete';
import type { ModelRef } from './registry';
import { modelAt, startProvider, WIRES } from './testing/provider-servers';

const servers: ProviderServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

/** A harness thread on a provider's server. */
async function threadOn(ref: ModelRef, script: Parameters<typeof startProvider>[1]) {
  const server = await startProvider(ref.provider, script);
  servers.push(server);
  const model = await modelAt(ref, server);
  const backend = memoryBackend(new Map([['/notes.txt', 'one\ntwo\n']]), async () => ({
    output: '',
    exitCode: 0,
    truncated: false,
  }));
  const journal = memoryJournal();
  const nothing = () => {};
  const checkpointer = new MemorySaver();
  const say = async (text: string): Promise<string> => {
    const agent = createThreadAgent({
      model,
      systemPrompt: 'You are under test.',
      backend,
      gate: createGate({ places: { folder: '/', memories: '/memories' }, backend, timeoutSeconds: 5 }),
      journal,
      observer: {
        modelStarted: nothing,
        modelDelta: nothing,
        modelEnded: nothing,
        modelFailed: nothing,
        approvalRequested: nothing,
        toolStarted: nothing,
        toolEnded: nothing,
        todosChanged: nothing,
      },
      isIncomplete: (message) => isIncomplete(message, ref.provider),
      isRefusal,
      threadId: 't',
      // Tests the provider's answers, not the reaction to them.
      context: { isContextOverflow: () => false },
      checkpointer,
    });
    try {
      const { messages } = await agent.graph.invoke(
        { messages: [new HumanMessage(text)] },
        { configurable: { thread_id: 't' } },
      );
      const calls = messages.flatMap((message) =>
        AIMessage.isInstance(message) ? (message.tool_calls ?? []) : [],
      );
      const answered = messages.flatMap((message) =>
        ToolMessage.isInstance(message) ? [message.tool_call_id] : [],
      );
      expect(answered).toEqual(calls.map(({ id }) => id));
      expect(new Set(answered).size).toBe(answered.length);
      return messages.at(-1)?.text ?? '';
    } catch (error) {
      return toAppError(error, ref.provider).kind;
    }
  };
  return { server, say };
}

/** Milliseconds for whole threads on a busy machine. */
const SLOW = 30_000;

describe.each(WIRES.map((ref) => [`${ref.provider}:${ref.name}`, ref] as const))(
  'a thread on %s',
  (_, ref) => {
    it(
      'continues after calls of missing tools, repeated ids and invalid arguments',
      async () => {
        const ls = { id: 'call_0', name: 'ls', args: { path: '/' } };
        const { server, say } = await threadOn(
          ref,
          inTurn([
            { reasoning: 'Hm.', calls: [{ id: 'call_0', name: 'no_such_tool', args: {} }, ls] },
            { calls: [ls], fault: { once: 'bad_tool_json' } },
            { text: 'Done.' },
          ]),
        );
        const first = await say('go');
        // Gemini and Ollama parse the call themselves, and the turn fails; it can be retried.
        const readsCalls = ref.provider === 'google-genai' || ref.provider === 'ollama';
        expect(first).toBe(readsCalls ? 'provider' : 'Done.');
        expect(await say('once more')).toBe('Done.');
        expect(server.requests.every(({ status }) => status === 200)).toBe(true);
      },
      SLOW,
    );

    it(
      'continues after each fault',
      async () => {
        const faults: Failure[] = ['unauthorized', 'context_overflow', 'refusal', 'cut', 'cut_clean'];
        const { server, say } = await threadOn(
          ref,
          inTurn([{ text: 'I look.', calls: [{ name: 'ls', args: { path: '/' } }] }, { text: 'Done.' }]),
        );
        const ends: string[] = [];
        for (const fault of faults) {
          server.failNext(fault);
          ends.push(await say('go'));
          expect(await say('again')).toBe('Done.');
        }
        const declines = ref.provider === 'ollama' ? 'I cannot help with that.' : 'refused';
        expect(ends).toEqual(['bad_key', 'context_overflow', declines, 'stream_cut', 'stream_cut']);
        const { status } = server.requests.at(-1) ?? {};
        expect(status).toBe(200);
      },
      SLOW,
    );
  },
);
