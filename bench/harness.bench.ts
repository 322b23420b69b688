// What our harness costs above LangChain's createAgent, and what a step costs when there is much already.
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BaseMessage } from '@langchain/core/messages';
import { MemorySaver } from '@langchain/langgraph';
import type { Storage } from '../src-main/storage';
import { config, oneCall, ours, plain, say, scripted } from './agents';
import { importCost } from './import-cost';
import type { Row } from './row';
import { bareRows, FILE_SIZE, ourSteps, plainSteps, STEPS, storageIn } from './steps';
import { withFolder } from './temporary';
import { textOf } from './text';
import { inTurn } from './timing';

const TURNS = 50;
const MB = 1_000_000;

/** A turn with one call, by an agent made for it as the app makes one. */
async function turns(storage: Storage): Promise<Row[]> {
  const model = () => scripted(oneCall);
  const turn = async (threadId: string) => {
    await ours({ storage, threadId, model: model() }).invoke({ messages: [say('Go.')] }, config(threadId));
  };
  const one = await inTurn(60, 20, {
    ours: () => turn(randomUUID()),
    alone: () => plain(model()).invoke({ messages: [say('Go.')] }),
    made: async () => ours({ storage, threadId: 't', model: model() }),
    madeAlone: async () => plain(model()),
  });
  const fifty = await inTurn(5, 1, {
    ours: async () => {
      const threadId = randomUUID();
      for (let n = 0; n < TURNS; n += 1) await turn(threadId);
    },
    alone: async () => {
      let messages: BaseMessage[] = [];
      for (let n = 0; n < TURNS; n += 1)
        ({ messages } = await plain(model()).invoke({ messages: [...messages, say('Go.')] }));
    },
    inMemory: async () => {
      const saver = new MemorySaver();
      for (let n = 0; n < TURNS; n += 1)
        await plain(model(), saver).invoke({ messages: [say('Go.')] }, config('t'));
    },
  });
  const perTurn = { name: 'createAgent', value: fifty.alone / TURNS };
  return [
    {
      row: 'one turn with one tool call, saved',
      unit: 'ms',
      ours: one.ours,
      anchor: { name: 'createAgent', value: one.alone },
      target: { ratio: 1.3 },
    },
    {
      row: '  of which making the agent',
      unit: 'ms',
      ours: one.made,
      anchor: { name: 'createAgent', value: one.madeAlone },
      target: {},
    },
    {
      row: `per turn over ${TURNS} turns, saved`,
      unit: 'ms',
      ours: fifty.ours / TURNS,
      anchor: perTurn,
      target: { ratio: 1.3 },
    },
    {
      row: '  createAgent with MemorySaver',
      unit: 'ms',
      ours: fifty.inMemory / TURNS,
      anchor: perTurn,
      target: {},
    },
  ];
}

async function manySteps(folder: string): Promise<Row[]> {
  const input = STEPS * FILE_SIZE;
  const most = (1.2 * input + STEPS * 2 * 1024) / MB;
  const alone = await plainSteps();
  const rows = bareRows(join(folder, 'rows'));
  const files = await ourSteps(join(folder, 'files'), 'files');
  const results = await ourSteps(join(folder, 'results'), 'results');
  const limit = { name: 'rows', value: rows.stored / MB };
  const same = (what: string, measured: typeof files): Row[] => [
    {
      row: `${STEPS} steps, ${what}: stored`,
      unit: 'MB',
      ours: measured.stored / MB,
      anchor: limit,
      target: { atMost: most },
    },
    ...(measured.written === null
      ? []
      : [
          {
            row: '  written to the disk',
            unit: 'MB' as const,
            ours: measured.written / MB,
            anchor: limit,
            target: {},
          },
        ]),
    {
      row: '  a step at the end',
      unit: 'ms',
      ours: measured.last,
      anchor: { name: 'first', value: measured.first },
      target: { ratio: 1.2 },
    },
    { row: '  longest event-loop delay', unit: 'ms', ours: measured.stall, target: { atMost: 30 } },
    {
      row: '  in all',
      unit: 'ms',
      ours: measured.all,
      anchor: { name: 'createAgent', value: alone.all },
      target: {},
    },
    { row: '  resume of that thread', unit: 'ms', ours: measured.resume, target: { atMost: 50 } },
  ];
  return [
    ...same('each writes a 20 KB file', files),
    ...same('each with a 20 KB result', results),
    {
      row: '  createAgent alone: a step at the end',
      unit: 'ms',
      ours: alone.last,
      anchor: { name: 'first', value: alone.first },
      target: {},
    },
  ];
}

/** What a large result costs above a turn with a small one. */
async function offload(storage: Storage, folder: string): Promise<Row[]> {
  const outputs = { small: 'ok', one: textOf(1, 1024 * 1024), ten: textOf(2, 10 * 1024 * 1024) };
  const turn = (output: string) => async () => {
    const threadId = randomUUID();
    const model = scripted((_messages, request) =>
      request === 0 ? { calls: [{ name: 'execute', args: { command: 'print' } }] } : { text: 'Done.' },
    );
    const execute = () => ({ output, exitCode: 0, truncated: false });
    await ours({ storage, threadId, model, execute }).invoke({ messages: [say('Go.')] }, config(threadId));
  };
  const write = (output: string) => async () => writeFileSync(join(folder, 'plain.txt'), output);
  const took = await inTurn(7, 2, {
    small: turn(outputs.small),
    one: turn(outputs.one),
    ten: turn(outputs.ten),
    writeOne: write(outputs.one),
    writeTen: write(outputs.ten),
  });
  return [
    {
      row: 'offload of a 1 MB result, above a small one',
      unit: 'ms',
      ours: took.one - took.small,
      anchor: { name: 'write', value: took.writeOne },
      target: { ratio: 2 },
    },
    {
      row: 'offload of a 10 MB result, above a small one',
      unit: 'ms',
      ours: took.ten - took.small,
      anchor: { name: 'write', value: took.writeTen },
      target: { ratio: 2 },
    },
  ];
}

async function imports(): Promise<Row[]> {
  const cost = await importCost();
  return [
    {
      row: 'import of the built harness, cold',
      unit: 'ms',
      ours: cost.ours.inside,
      anchor: { name: 'langchain', value: cost.langchain.inside },
      target: { atMost: 120 },
    },
    {
      row: '  the whole process',
      unit: 'ms',
      ours: cost.ours.whole,
      anchor: { name: 'bare Node', value: cost.bare.whole },
      target: {},
    },
  ];
}

export default async function measure(): Promise<Row[]> {
  return withFolder(async (folder) => {
    const { storage } = storageIn(join(folder, 'turns'));
    const byTurn = await turns(storage);
    const bySize = await offload(storage, folder);
    storage.close();
    return [...byTurn, ...(await manySteps(folder)), ...bySize, ...(await imports())];
  });
}
