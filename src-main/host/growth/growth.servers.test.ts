import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { ThreadId } from '../../contract/ids';
import { DEFAULT_PLACE_POLICY } from '../../contract/places';
import { type Part, SlowModel } from '../testing/slow-model';
import { FakeWindow, isIdle, setUp, startHost, temp } from '../testing/window';
import { GROWTH, keepResult } from './testing/asked';
import { held } from './testing/resources';
import { type Point, slopeOf } from './testing/slope';

vi.setConfig({ testTimeout: 7_200_000 });

type Test = Awaited<ReturnType<typeof setUp>>;

/** What there may be many of: how the person gets one more. */
const ITEMS: Record<string, (t: Test) => (index: number) => Promise<unknown>> = {
  threads: (t) => () => t.window.must('thread.create', { projectId: t.projectId }),
  memories: (t) => (index) =>
    t.window.must('memories.write', {
      projectId: t.projectId,
      path: `/memories/note-${index}.md`,
      text: `# Note ${index}\nSomething worth to remember about ${index % 97}.\n`,
      expectedUpdatedAt: null,
    }),
  places: (t) => {
    const folder = temp('place');
    return (index) =>
      t.window.must('places.add', {
        draft: {
          path: `/place-${index}/`,
          options: { kind: 'folder', folder },
          projectId: null,
          policy: DEFAULT_PLACE_POLICY,
        },
        secret: null,
      });
  },
};

/** Times of each measurement; the fastest counts, because other programs only make it slower. */
const RUNS = 5;

async function fastest(run: () => Promise<unknown>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < RUNS; round += 1) {
    const since = performance.now();
    await run();
    least = Math.min(least, performance.now() - since);
  }
  return least;
}

/** Bytes by which two measurements of the heap differ by chance. Less than that is not compared. */
const NOISE = 2_000_000;

/** Bytes of the database with its log. */
const bytesIn = (dataDir: string): number =>
  ['deepdesk.db', 'deepdesk.db-wal']
    .map((name) => join(dataDir, name))
    .reduce((sum, file) => sum + (existsSync(file) ? statSync(file).size : 0), 0);

async function measured(t: Test, count: number): Promise<Point> {
  const step = await fastest(async () => {
    const { id }: { id: ThreadId } = await t.window.must('thread.create', { projectId: t.projectId });
    await t.window.open(id);
    await t.window.must('thread.send', { threadId: id, text: 'hello' });
    await t.window.until(isIdle);
    await t.window.must('thread.close', { threadId: id });
  });
  t.window.events.splice(0);
  await t.host.close();
  const bytes = bytesIn(t.dataDir);
  const { heap: before } = await held();
  const start = await fastest(async () => {
    const host = await startHost(t.dataDir);
    await new FakeWindow(host).must('app.open', {});
    await host.close();
  });
  t.host = await startHost(t.dataDir);
  t.window = new FakeWindow(t.host);
  await t.window.must('app.open', {});
  const memory = Math.max(NOISE, (await held()).heap - before);
  t.window.events.splice(0);
  return { count, bytes, start, step, memory };
}

const linux = describe.runIf(process.platform === 'linux');

linux.each(Object.entries(ITEMS))('many %s', (name, adder) => {
  it(`cost no more each when there are ${GROWTH.sizes.at(-1)} of them`, async () => {
    const t = await setUp();
    const close = () => t.host.close();
    SlowModel.into(t.host, []);
    const points: Point[] = [];
    let count = 0;
    let add = adder(t);
    for (const size of GROWTH.sizes) {
      for (; count < size; count += 1) await add(count);
      points.push(await measured(t, size));
      SlowModel.into(t.host, []);
      add = adder(t);
    }
    keepResult(`many-${name}`, points);
    await close();
    // 1: each one more costs the same. Above that, cost grows faster than their number.
    expect(slopeOf(points, 'bytes')).toBeLessThan(1.15);
    expect(slopeOf(points, 'memory')).toBeLessThan(1.15);
    expect(slopeOf(points, 'start')).toBeLessThan(1.15);
    expect(slopeOf(points, 'step')).toBeLessThan(1.15);
  });
});

/** Steps in one turn. */
const TURN = 10;

linux('many steps', () => {
  it(`cost no more each when a thread has ${GROWTH.steps.at(-1)} of them`, async () => {
    const t = await setUp();
    const call: Part = { name: 'ls', args: { path: t.folder } };
    let model = SlowModel.into(t.host, []);
    const points: Point[] = [];
    let count = 0;
    const turn = async () => {
      const script = [...Array.from({ length: TURN - 1 }, () => [call]), ['done']];
      model.play(script);
      const since = performance.now();
      await t.window.must('thread.send', { threadId: t.threadId, text: `go on after ${count}` });
      await t.window.until(isIdle);
      count += TURN;
      t.window.events.splice(0);
      return (performance.now() - since) / TURN;
    };
    for (const size of GROWTH.steps) {
      let step = Number.POSITIVE_INFINITY;
      while (count < size) {
        const took = await turn();
        if (count > size - RUNS * TURN) step = Math.min(step, took);
      }
      const memory = (await held()).heap;
      await t.host.close();
      const bytes = bytesIn(t.dataDir);
      const start = await fastest(async () => {
        const host = await startHost(t.dataDir);
        await new FakeWindow(host).must('thread.open', { threadId: t.threadId, last: 50 });
        await host.close();
      });
      points.push({ count: size, bytes, start, step, memory });
      t.host = await startHost(t.dataDir, t.reports);
      t.window = new FakeWindow(t.host);
      await t.window.open(t.threadId);
      model = SlowModel.into(t.host, []);
    }
    keepResult('many-steps', points);
    await t.host.close();
    expect(slopeOf(points, 'bytes')).toBeLessThan(1.15);
    expect(slopeOf(points, 'memory')).toBeLessThan(1.15);
    expect(slopeOf(points, 'start')).toBeLessThan(1.15);
    expect(slopeOf(points, 'step')).toBeLessThan(1.15);
    expect(t.reports).toEqual([]);
  });
});
