import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MemorySaver } from '@langchain/langgraph';
import type { Contest, Part, Runner } from '../contest';
import { median } from '../row';
import { textOf } from '../text';
import { config, ours, peer, say, scripted } from './agents';
import { storageIn } from './place';

const MB = 1024 * 1024;
/** Turns with a small result for each turn with the large one. */
const SMALL_TURNS = 5;

const script = (tool: string) =>
  scripted((_messages, request) =>
    request === 0 ? { calls: [{ name: tool, args: { command: 'print' } }] } : { text: 'Done.' },
  );

async function time(run: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await run();
  return performance.now() - from;
}

/** What a large result costs beyond a turn with a small one. */
function above(output: string, turn: (output: string) => Promise<unknown>): Runner['run'] {
  return async () => {
    const small: number[] = [];
    for (let count = 0; count < SMALL_TURNS; count += 1) small.push(await time(() => turn('ok')));
    return { value: (await time(() => turn(output))) - median(small) };
  };
}

const contest = (megabytes: number): Contest => ({
  row: `offload of a ${megabytes} MB result, above a small one`,
  unit: 'ms',
  runs: 9,
  warmUp: 2,
  target: { ratio: 2, stall: 16 },
  ours: ({ own }) => {
    const output = textOf(1, megabytes * MB);
    const { storage } = storageIn(own);
    const turn = (text: string) => {
      const threadId = randomUUID();
      const execute = () => ({ output: text, exitCode: 0, truncated: false });
      const agent = ours({ storage, threadId, model: script('execute'), execute });
      return agent.run({ messages: [say('Go.')] }, config(threadId));
    };
    return { run: above(output, turn), close: () => storage.close() };
  },
  limits: {
    write: ({ own }) => {
      const output = textOf(1, megabytes * MB);
      return { run: () => void writeFileSync(join(own, 'plain.txt'), output) };
    },
  },
  peer: () => {
    const output = textOf(1, megabytes * MB);
    const turn = async (text: string) => {
      const agent = await peer(script('run'), new MemorySaver(), () => text);
      return agent.invoke({ messages: [say('Go.')] }, config('t'));
    };
    return { run: above(output, turn) };
  },
  peerNote: 'saved in memory only',
});

export const offload: Part = [contest(1), contest(10)];
