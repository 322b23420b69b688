import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { temporaryFolder } from './testing/fixtures';
import {
  bundleWriter,
  expectApprovals,
  expectMemories,
  type IsEnough,
  killWriter,
  look,
} from './testing/killed';
import { message, terminal, thread } from './testing/values';

/** Inside node_modules, so that the bundle finds better-sqlite3. */
const bundle = join(import.meta.dirname, `../../node_modules/.cache/deepdesk-crash-${process.pid}`);

beforeAll(() => bundleWriter(bundle), 60_000);
afterAll(() => rmSync(bundle, { recursive: true, force: true }));

const killWhen = (what: string, file: string, isEnough: IsEnough) =>
  killWriter({ bundle, what, file, isEnough });
const killAfter = (what: string, file: string, lines: number) =>
  killWhen(what, file, (acknowledged) => acknowledged.length === lines);

const t1 = thread().id;

describe('after kill -9', { timeout: 120_000 }, () => {
  it('every acknowledged checkpoint exists, for twenty kill times', async () => {
    const file = () => join(temporaryFolder(), 'd.sqlite');
    for (let kill = 1; kill <= 20; kill += 1) {
      const at = file();
      const told = z
        .array(z.object({ id: z.string(), round: z.number() }))
        .parse(await killAfter('checkpoints', at, kill * 3));
      const last = told.at(-1);
      await look(at, async ({ checkpointer }) => {
        const tuple = await checkpointer.getTuple({
          configurable: { thread_id: 't1', checkpoint_id: last?.id },
        });
        const round = last?.round ?? 0;
        const messages = z
          .array(z.object({ id: z.string(), content: z.string() }))
          .parse(tuple?.checkpoint.channel_values.messages);
        const said = (n: number) => ({ id: `m${n}`, content: `${n} ${'x'.repeat(3_000)}` });
        expect(messages.map(({ id, content }) => ({ id, content }))).toEqual(
          Array.from({ length: round }, (_, index) => said(index + 1)),
        );
        expect(tuple?.pendingWrites?.length).toBe(1);
        const kept: string[] = [];
        for await (const one of checkpointer.list({ configurable: { thread_id: 't1' } }))
          kept.push(one.checkpoint.id);
        const recent = told.slice(-20).map((one) => one.id);
        expect(recent.filter((id) => !kept.includes(id))).toEqual([]);
      });
    }
  });

  it.each([7, 40, 111])(
    'pending approvals are still pending and decisions stay decided (%i)',
    async (lines) => {
      const file = join(temporaryFolder(), 'd.sqlite');
      const told = await killAfter('approvals', file, lines);
      await look(file, (storage) => expectApprovals(storage, told));
    },
  );

  it('messages are in order and complete', async () => {
    const file = join(temporaryFolder(), 'd.sqlite');
    const told = await killAfter('messages', file, 200);
    await look(file, ({ messages }) => {
      const all = messages.all(t1);
      expect(all.length).toBeGreaterThanOrEqual(told.length);
      expect(all).toEqual(all.map((_, index) => message(`m${index + 1}`, 'x'.repeat((index + 1) % 5_000))));
    });
  });

  it('terminal output is complete up to the last acknowledged character', async () => {
    const file = join(temporaryFolder(), 'd.sqlite');
    const told = z.array(z.number()).parse(await killAfter('terminals', file, 100));
    await look(file, ({ terminals }) => {
      const { id } = terminal('x');
      const { offset, data } = terminals.output(id);
      const whole = data.split('\r\n').slice(0, -1);
      expect([offset, data.length >= (told.at(-1) ?? 0)]).toEqual([0, true]);
      expect(whole).toEqual(whole.map((_, index) => `line ${index + 1}`));
      expect(terminals.loseRunning(5).map((one) => one.status)).toEqual(['lost']);
    });
  });

  it('nothing is lost during a write-back of the log, for sixteen kill times', async () => {
    for (let kill = 1; kill <= 16; kill += 1) {
      const file = join(temporaryFolder(), 'd.sqlite');
      // Counted from the first line after the write-back started. Only the log worker can have started it: SQLite writes
      // back within a commit only from 64 MB of log on, which is 640 lines.
      const isMoved = ([, size]: [number, number]) => size >= 2_000_000;
      let after = 0;
      const told = z.array(z.tuple([z.number(), z.number()])).parse(
        await killWhen('long terminals', file, (acknowledged) => {
          if (isMoved(z.tuple([z.number(), z.number()]).parse(acknowledged.at(-1)))) after += 1;
          return after === kill * 12 - 11;
        }),
      );
      const first = told.findIndex(isMoved);
      expect([first > 0, first < 600]).toEqual([true, true]);
      await look(file, ({ terminals }) => {
        const { offset, data } = terminals.output(terminal('x').id);
        const whole = data
          .split('\r\n')
          .slice(0, -1)
          .slice(offset === 0 ? 0 : 1);
        const last = Number.parseInt(whole.at(-1) ?? '', 10);
        expect([offset + data.length >= (told.at(-1)?.[0] ?? 0), last >= told.length]).toEqual([true, true]);
        expect(whole).toEqual(
          whole.map((_, index) => `${last - whole.length + index + 1} ${'x'.repeat(100_000)}`),
        );
      });
    }
  });

  it('a memory has its old or its new text, and all its versions are intact', async () => {
    const file = join(temporaryFolder(), 'd.sqlite');
    const told = await killAfter('memories', file, 150);
    await look(file, (storage) => expectMemories(storage, told));
  });
});
