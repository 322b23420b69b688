import { randomUUID } from 'node:crypto';
import type { BaseMessage } from '@langchain/core/messages';
import { MemorySaver } from '@langchain/langgraph';
import type { Part, Side } from '../contest';
import { config, oneCall, ours, peer, plain, say, scripted } from './agents';
import { storageIn } from './place';

/** Turns per run if single turns are timed. */
const TURNS_PER_RUN = 5;
const TURNS = 50;

const IN_MEMORY = 'saved in memory only';

const model = () => scripted(oneCall);
const messages = () => ({ messages: [say('Go.')] });

/** Turns with one call each, with a new agent per turn like in the app; all in one thread, or each in a separate one. */
const ourTurns =
  (count: number, threads: 'one' | 'each'): Side =>
  ({ own }) => {
    const { storage } = storageIn(own);
    return {
      run: async () => {
        let threadId = randomUUID();
        for (let turn = 0; turn < count; turn += 1) {
          if (threads === 'each') threadId = randomUUID();
          await ours({ storage, threadId, model: model() }).run(messages(), config(threadId));
        }
        return undefined;
      },
      close: () => storage.close(),
    };
  };

/** LangChain's agent alone, saved by our checkpointer: any cost above it is our middleware. */
const savedPlainly =
  (count: number, threads: 'one' | 'each'): Side =>
  ({ own }) => {
    const { storage } = storageIn(own);
    return {
      run: async () => {
        let threadId = randomUUID();
        for (let turn = 0; turn < count; turn += 1) {
          if (threads === 'each') threadId = randomUUID();
          await plain(model(), storage.checkpointer).invoke(messages(), config(threadId));
        }
        return undefined;
      },
      close: () => storage.close(),
    };
  };

const peerTurns =
  (count: number, threads: 'one' | 'each'): Side =>
  () => ({
    run: async () => {
      const saver = new MemorySaver();
      let threadId = randomUUID();
      for (let turn = 0; turn < count; turn += 1) {
        if (threads === 'each') threadId = randomUUID();
        await (await peer(model(), saver)).invoke(messages(), config(threadId));
      }
      return undefined;
    },
  });

export const turns: Part = [
  {
    row: 'one turn with one tool call, saved',
    unit: 'ms',
    runs: 15,
    warmUp: 5,
    per: TURNS_PER_RUN,
    target: { ratio: 1.1 },
    ours: ourTurns(TURNS_PER_RUN, 'each'),
    limits: {
      'createAgent saved by our checkpointer': savedPlainly(TURNS_PER_RUN, 'each'),
      createAgent: () => ({
        run: async () => {
          for (let turn = 0; turn < TURNS_PER_RUN; turn += 1) await plain(model()).invoke(messages());
          return undefined;
        },
      }),
    },
    peer: peerTurns(TURNS_PER_RUN, 'each'),
    peerNote: IN_MEMORY,
  },
  {
    row: '  of which saving it: createAgent with our checkpointer',
    unit: 'ms',
    runs: 15,
    warmUp: 5,
    per: TURNS_PER_RUN,
    target: { ratio: 1.15 },
    ours: savedPlainly(TURNS_PER_RUN, 'each'),
    limits: {
      'with MemorySaver': () => ({
        run: async () => {
          const saver = new MemorySaver();
          for (let turn = 0; turn < TURNS_PER_RUN; turn += 1)
            await plain(model(), saver).invoke(messages(), config(randomUUID()));
          return undefined;
        },
      }),
    },
  },
  {
    row: '  of which making the agent',
    unit: 'ms',
    runs: 15,
    warmUp: 5,
    target: {},
    ours: ({ own }) => {
      const { storage } = storageIn(own);
      return {
        run: () => void ours({ storage, threadId: 't', model: model() }),
        close: () => storage.close(),
      };
    },
    limits: { createAgent: () => ({ run: () => void plain(model()) }) },
    peer: () => ({ run: async () => void (await peer(model(), new MemorySaver())) }),
  },
  {
    row: `per turn over ${TURNS} turns, saved`,
    unit: 'ms',
    runs: 5,
    per: TURNS,
    target: { ratio: 1.1 },
    ours: ourTurns(TURNS, 'one'),
    limits: {
      'createAgent saved by our checkpointer': savedPlainly(TURNS, 'one'),
      createAgent: () => ({
        run: async () => {
          let history: BaseMessage[] = [];
          for (let turn = 0; turn < TURNS; turn += 1)
            ({ messages: history } = await plain(model()).invoke({ messages: [...history, say('Go.')] }));
          return undefined;
        },
      }),
      'createAgent saved by MemorySaver': () => ({
        run: async () => {
          const saver = new MemorySaver();
          for (let turn = 0; turn < TURNS; turn += 1)
            await plain(model(), saver).invoke(messages(), config('t'));
          return undefined;
        },
      }),
    },
    peer: peerTurns(TURNS, 'one'),
    peerNote: IN_MEMORY,
  },
];
