import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { removeTestFolder } from '../testing/bubblewrap';
import { folderIn } from './testing/options';
import { makeBase, note, rehearsed, whyNoRehearsal, writeIn } from './testing/place';

let base = '';
beforeEach(() => {
  base = makeBase();
  writeIn(folderIn(base), { 'a.txt': 'a\n' });
});
afterEach(() => removeTestFolder(base));

const inTemporary = (name: string) => join(base, 'data/tmp/thread', name);
const exists = (name: string) =>
  expect.poll(() => existsSync(inTemporary(name)), { timeout: 20_000 }).toBe(true);

/** Counts its starts, and runs until it is told to end. */
const SERVER =
  'echo start >> /tmp/starts; echo 1 > early; while [ ! -e /tmp/end ]; do sleep 0.01; done; echo 2 > late';

describe.skipIf(whyNoRehearsal !== null)(`a command that keeps running${note}`, () => {
  it('continues in the same layer when it gets more time, and is not started again', async () => {
    const asked: number[] = [];
    const overtime = async (milliseconds: number) => {
      await exists('starts');
      asked.push(milliseconds);
      // The second time, it may end.
      if (asked.length === 2) writeFileSync(inTemporary('end'), '');
      return asked.length === 1 ? 200 : 60_000;
    };
    const { exitCode, limit, manifest } = await rehearsed(base, SERVER, { limits: { time: 100 }, overtime });
    expect({ exitCode, limit }).toEqual({ exitCode: 0, limit: undefined });
    expect(manifest.changes.map(({ path }) => path)).toEqual(['early', 'late']);
    expect(readFileSync(inTemporary('starts'), 'utf8')).toBe('start\n');
    expect(asked).toHaveLength(2);
    expect(asked[1]).toBeGreaterThan(asked[0] ?? Number.NaN);
  });

  it('keeps running while nobody has decided, and may end by itself', async () => {
    const overtime = async () => {
      await exists('starts');
      writeFileSync(inTemporary('end'), '');
      return new Promise<never>(() => undefined);
    };
    const { exitCode, limit } = await rehearsed(base, SERVER, { limits: { time: 100 }, overtime });
    expect({ exitCode, limit }).toEqual({ exitCode: 0, limit: undefined });
  });

  it.each([
    ['is stopped when it gets no extension', async () => null],
    ['is stopped if nobody can be asked', () => Promise.reject(new Error('closed'))],
  ])('%s, with its changes so far', async (_, overtime) => {
    const { limit, manifest } = await rehearsed(base, SERVER, {
      limits: { time: 100 },
      overtime: async () => {
        await exists('starts');
        return overtime();
      },
    });
    expect(limit).toBe('time');
    expect(manifest.changes.every(({ path }) => path === 'early')).toBe(true);
  });

  it('still has its other limits', async () => {
    // Not without end: a busy machine looks later, and would have to compare all files that are there by then.
    const command = 'i=0; while [ $i -lt 2000 ]; do : > f$i; i=$((i+1)); done; sleep 600';
    const overtime = () => new Promise<never>(() => undefined);
    expect((await rehearsed(base, command, { limits: { time: 50, files: 300 }, overtime })).limit).toBe(
      'files',
    );
  });
});
