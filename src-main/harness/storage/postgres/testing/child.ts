// Tests run this in a process of its own: one turn of a thread that several processes share.
// `child.js OPTIONS THREAD [MESSAGE]`. Without a message it continues what another process left. Prints a line of JSON for
// each step that is done, and `{"answer": …}` at the end.
import { ToolMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres';
import { PostgresStore } from '@langchain/langgraph-checkpoint-postgres/store';
import pg from 'pg';
import { z } from 'zod';
import { createDeepAgent } from '../../../agent/create-deep-agent';
import { ScriptedModel, type ScriptedStep } from '../../../agent/testing/scripted-model';
import { CompositeBackend } from '../../../backends/composite';
import { StateBackend } from '../../../backends/state';
import { StoreBackend } from '../../../backends/store/store';

const [, , options = '', thread = '', message] = process.argv;
const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);

const write = (folder: string, name: string): NonNullable<ScriptedStep['calls']> => [
  { name: 'write_file', args: { file_path: `${folder}/${name}.md`, content: name } },
];

/** A memory, a scratch file, something that takes long, another memory, and the answer. */
const STEPS = (turn: string): ScriptedStep[] => [
  { calls: write('/memories', `${turn}-first`) },
  { calls: write('', `${turn}-scratch`) },
  { calls: [{ name: 'wait', args: {} }] },
  { calls: write('/memories', `${turn}-last`) },
  { text: `Done with ${turn}.` },
];

const model = new ScriptedModel((messages) => {
  const asked = messages.findLastIndex((one) => one.type === 'human');
  const done = messages.slice(asked).filter((one) => ToolMessage.isInstance(one)).length;
  return STEPS(messages[asked]?.text ?? '')[done] ?? {};
});

/** Never ends where the test will kill the process. */
const wait = tool(
  async () => {
    say({ step: 'waiting' });
    if (process.env.HANGS === 'yes') await new Promise(() => setInterval(() => undefined, 60_000));
    return 'Waited.';
  },
  { name: 'wait', description: 'Waits.', schema: z.object({}) },
);

const pool = new pg.Pool(JSON.parse(options));
const store = new PostgresStore({ connectionOptions: JSON.parse(options), ensureTables: false });
const agent = createDeepAgent({
  model,
  tools: [wait],
  checkpointer: new PostgresSaver(pool),
  store,
  backend: new CompositeBackend(new StateBackend(), {
    '/memories/': new StoreBackend({ store, namespace: ['memories', thread] }),
  }),
});
const config = { configurable: { thread_id: thread }, durability: 'sync' as const };
const input = message === undefined ? null : { messages: [{ role: 'user', content: message }] };
const stream = await agent.graph.stream(input as never, { ...config, streamMode: 'updates' });
for await (const update of stream) say({ step: Object.keys(update as object).join() });
const { values, next } = await agent.graph.getState(config);
say({ answer: values.messages.at(-1)?.text, next, files: Object.keys(values.files ?? {}) });
await store.stop();
await pool.end();
