import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { BaseMessage } from '@langchain/core/messages';
import { PostgresSaver } from '@langchain/langgraph-checkpoint-postgres';
import { PostgresStore } from '@langchain/langgraph-checkpoint-postgres/store';
import pg from 'pg';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { hasPostgres, type PostgresServer, startPostgres } from '../../../storage/testing/postgres';
import { StoreBackend } from '../../backends/store/store';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

/** Inside node_modules, so that the bundle finds its packages. */
const bundle = join(
  import.meta.dirname,
  `../../../../node_modules/.cache/deepdesk-two-processes-${process.pid}`,
);
/** Shown in the test names. */
const noPostgres = hasPostgres ? '' : ' (skipped: no Postgres is there for this system.)';

interface Line {
  step?: string;
  answer?: string;
  next?: string[];
  files?: string[];
}

describe.skipIf(!hasPostgres)(`two processes on one thread${noPostgres}`, () => {
  let server: PostgresServer;
  let at: Awaited<ReturnType<PostgresServer['database']>>;
  let pool: pg.Pool;
  let saver: PostgresSaver;
  let store: PostgresStore;

  beforeAll(async () => {
    await build({
      configFile: false,
      logLevel: 'silent',
      build: { ssr: join(import.meta.dirname, 'testing/child.ts'), outDir: bundle, target: 'node20' },
    });
    server = await startPostgres();
    at = await server.database();
    pool = new pg.Pool(at);
    saver = new PostgresSaver(pool);
    await saver.setup();
    store = new PostgresStore({ connectionOptions: at });
    await store.setup();
  });
  afterAll(async () => {
    await store?.stop();
    await pool?.end();
    await server?.stop();
    rmSync(bundle, { recursive: true, force: true });
  });

  /** Runs a turn in a process of its own, which is killed after that many lines. Returns what it said until then. */
  async function turn(thread: string, message: string | null, killAfter = Number.POSITIVE_INFINITY) {
    const args = [
      join(bundle, 'child.js'),
      JSON.stringify(at),
      thread,
      ...(message === null ? [] : [message]),
    ];
    const hangs = Number.isFinite(killAfter) ? 'yes' : 'no';
    const child = spawn(process.execPath, args, {
      env: { ...process.env, HANGS: hangs },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let complaint = '';
    child.stderr.on('data', (data) => {
      complaint += String(data);
    });
    const closed = once(child, 'close') as Promise<[number | null]>;
    const lines: Line[] = [];
    for await (const line of createInterface(child.stdout)) {
      if (lines.length === killAfter) break;
      lines.push(JSON.parse(line) as Line);
      if (lines.length === killAfter) child.kill('SIGKILL');
    }
    const [code] = await closed;
    if (code !== 0 && !Number.isFinite(killAfter)) throw new Error(complaint);
    return lines;
  }

  /** The thread as a third process sees it: the results of its calls in order, its answers, and its memories. */
  async function seen(thread: string) {
    const saved = await saver.getTuple({ configurable: { thread_id: thread } });
    const messages = (saved?.checkpoint.channel_values.messages ?? []) as BaseMessage[];
    const backend = new StoreBackend({ store, namespace: ['memories', thread] });
    const memories = (await backend.ls('/')).files?.map(({ path }) => path).sort();
    return {
      order: messages.map((message) => (message.type === 'human' ? message.text : message.type)),
      answers: messages.filter((message) => message.text.startsWith('Done')).map(({ text }) => text),
      memories,
    };
  }

  /** Of one turn: the person's message, four calls with their results, and the answer. */
  const whole = (name: string) => [name, 'ai', 'tool', 'ai', 'tool', 'ai', 'tool', 'ai', 'tool', 'ai'];

  it('take turns, and each sees what the other did', async () => {
    const names = ['one', 'two', 'three', 'four'];
    for (const name of names) {
      const last = (await turn('shared', name)).at(-1);
      expect(last).toMatchObject({ answer: `Done with ${name}.`, next: [] });
    }
    const { order, answers, memories } = await seen('shared');
    expect(order).toEqual(names.flatMap(whole));
    expect(answers).toHaveLength(4);
    expect(memories).toEqual(names.flatMap((name) => [`/${name}-first.md`, `/${name}-last.md`]).sort());
  });

  // The seventh line is said by a call that would never end.
  it.each([1, 2, 3, 4, 5, 6, 7])('loses nothing when one is killed after step %i', async (killAfter) => {
    const thread = `killed-${killAfter}`;
    await turn(thread, 'before');
    const said = await turn(thread, 'during', killAfter);
    expect(said).toHaveLength(killAfter);
    const left = await seen(thread);
    // What the first process had done is there: its earlier turn, and the memory once its step was said to be done.
    expect(left.order.slice(0, 11)).toEqual([...whole('before'), 'during']);
    const isWritten = said.filter(({ step }) => step === 'tools').length > 0;
    if (isWritten) expect(left.memories).toContain('/during-first.md');

    const last = (await turn(thread, null)).at(-1);
    expect(last).toMatchObject({
      answer: 'Done with during.',
      next: [],
      files: ['/before-scratch.md', '/during-scratch.md'],
    });
    const { order, memories } = await seen(thread);
    expect(order).toEqual([...whole('before'), ...whole('during')]);
    expect(memories).toEqual(['/before-first.md', '/before-last.md', '/during-first.md', '/during-last.md']);
    await turn(thread, 'after');
    expect((await seen(thread)).answers).toEqual(
      ['before', 'during', 'after'].map((name) => `Done with ${name}.`),
    );
  });
});
