// The window under the load of a long day: long threads, streaming text, and a person who types at the same time.
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { searchThreads } from '../src-main/host/threads/search-threads';
import { withApp } from './desktop/app';
import { addThread, messageOf, open, seed } from './desktop/data';
import { flooding, makeBareTerminal } from './desktop/flood';
import { underLoad } from './desktop/load';
import { openers } from './desktop/openers';
import * as page from './desktop/page';
import { startAnswerer, startProvider } from './desktop/provider';
import { sending } from './desktop/sending';
import { manyThreads } from './desktop/threads';
import { type OpenWindow, openWindow } from './electron-window';
import { type GroupOptions, median, quantile, type Row } from './row';
import { withFolder } from './temporary';

const [SHORT, MIDDLE, LONG] = [100, 5_000, 10_000];
const RUNS = 7;
/** Tokens per second, and the number of seconds. */
const RATE = 200;
const SECONDS = 16;
const KEYS = 60;
/** Messages sent one after another. */
const SENT = 40;
/** MB of output. */
const FLOOD = 100;

const Numbers = z.array(z.number());
const Metrics = z.object({ metrics: z.array(z.object({ name: z.string(), value: z.number() })) });

const lastOf = (count: number) => {
  const { id } = messageOf(count - 1);
  return id;
};

async function metric(window: OpenWindow, name: string): Promise<number> {
  const { metrics } = Metrics.parse(await window.send('Performance.getMetrics', {}));
  return metrics.find((one) => one.name === name)?.value ?? Number.NaN;
}

async function heap(window: OpenWindow): Promise<number> {
  await window.send('HeapProfiler.collectGarbage', {});
  return (await metric(window, 'JSHeapUsedSize')) / 1_000_000;
}

async function opening(window: OpenWindow, runs: number): Promise<Row[]> {
  const show = async (count: number) =>
    z.number().parse(await window.evaluate(page.openThread(`t${count}`, lastOf(count))));
  const times: Record<number, number[]> = { [SHORT]: [], [LONG]: [] };
  const heaps: Record<number, number[]> = { [SHORT]: [], [LONG]: [] };
  for (let run = 0; run < runs; run += 1)
    for (const count of [SHORT, LONG]) {
      times[count]?.push(await show(count));
      heaps[count]?.push(await heap(window));
    }
  const of = (all: Record<number, number[]>, count: number) => median(all[count] ?? []);
  const scrolled = Numbers.parse(await window.evaluate(page.scrollFrames(-90, 3_000)));
  const still = Numbers.parse(await window.evaluate(page.frames(2_000)));
  return [
    {
      row: 'open a thread of 10,000 messages',
      unit: 'ms',
      ours: of(times, LONG),
      anchor: { name: 'of 100 messages', value: of(times, SHORT) },
      target: { atMost: 300 },
    },
    {
      row: 'heap of the page with it open',
      unit: 'MB',
      ours: of(heaps, LONG),
      anchor: { name: 'with 100 messages', value: of(heaps, SHORT) },
      target: { ratio: 1.3 },
    },
    {
      row: 'scroll through it, 95 % of frames',
      unit: 'ms',
      ours: quantile(scrolled, 0.95),
      anchor: { name: 'nothing happens', value: quantile(still, 0.95) },
      target: { ratio: 1.1 },
    },
  ];
}

async function type(window: OpenWindow, keys: number): Promise<number[]> {
  await window.evaluate('window.keyTimes.length = 0');
  for (let key = 0; key < keys; key += 1) {
    const text = 'abcdefghij'[key % 10] ?? 'a';
    await window.send('Input.dispatchKeyEvent', { type: 'keyDown', text, key: text });
    await window.send('Input.dispatchKeyEvent', { type: 'keyUp', key: text });
    await setTimeout(40);
  }
  return Numbers.parse(await window.evaluate('window.keyTimes'));
}

async function streaming(window: OpenWindow): Promise<Row[]> {
  await window.evaluate(page.openThread(`t${MIDDLE}`, lastOf(MIDDLE)));
  await window.evaluate(page.watchKeys);
  await window.evaluate(page.bareField);
  const bare = await type(window, KEYS);
  await window.evaluate(page.noBareField);
  const still = Numbers.parse(await window.evaluate(page.frames(2_000)));

  await window.evaluate(`document.querySelector('textarea').focus()`);
  await window.send('Input.insertText', { text: 'Go on' });
  await window.send('Input.dispatchKeyEvent', {
    type: 'rawKeyDown',
    key: 'Enter',
    code: 'Enter',
    windowsVirtualKeyCode: 13,
  });
  await window.evaluate(page.whenStreaming);
  const [busyFrom, wallFrom] = [await metric(window, 'TaskDuration'), performance.now()];
  const moving = Numbers.parse(await window.evaluate(page.frames(6_000)));
  const busy = ((await metric(window, 'TaskDuration')) - busyFrom) / ((performance.now() - wallFrom) / 1_000);
  const keys = await type(window, KEYS);
  await window.evaluate(page.whenIdle);
  return [
    {
      row: '200 tokens a second into 5,000 messages, 95 % of frames',
      unit: 'ms',
      ours: quantile(moving, 0.95),
      anchor: { name: 'nothing happens', value: quantile(still, 0.95) },
      target: { ratio: 1.1 },
    },
    {
      row: 'the same, the longest frame',
      unit: 'ms',
      ours: Math.max(...moving),
      anchor: { name: 'nothing happens', value: Math.max(...still) },
      target: { atMost: 50 },
    },
    { row: 'the same, main thread of the page', unit: '%', ours: busy * 100, target: { atMost: 60 } },
    {
      row: 'key press to character while it streams, 95 %',
      unit: 'ms',
      ours: quantile(keys, 0.95),
      anchor: { name: 'an empty field', value: quantile(bare, 0.95) },
      target: { above: 4 },
    },
  ];
}

const THREADS = 1_000;
const EACH = 200;

/** Full-text search, in the process that the window calls: every tenth thread has the rare word in one message. */
async function searching(quick: boolean): Promise<Row[]> {
  return withFolder(async (folder) => {
    const storage = open(join(folder, 'data'));
    const threads = quick ? THREADS / 10 : THREADS;
    seed(storage, join(folder, 'project'), [], 'http://127.0.0.1:1/v1');
    for (let thread = 0; thread < threads; thread += 1)
      addThread(storage, `s${thread}`, `Thread ${thread}`, EACH, thread);
    const from = performance.now();
    while (storage.search.index(1_000));
    const indexed = performance.now() - from;
    const time = (query: string) => {
      const times = Array.from({ length: 9 }, () => {
        const start = performance.now();
        searchThreads(storage, query, undefined);
        return performance.now() - start;
      });
      return median(times);
    };
    const raw = (query: string) => {
      const start = performance.now();
      storage.search.find(query, { limit: 1_000 });
      return performance.now() - start;
    };
    const rows: Row[] = [
      ['a rare word', 'part-4'],
      ['a word of every message', 'build'],
      ['two words and a beginning', 'server fails que'],
    ].map(([name = '', query = '']) => ({
      row: `search ${threads * EACH} messages for ${name}`,
      unit: 'ms',
      ours: time(query),
      anchor: { name: 'the index alone', value: median(Array.from({ length: 9 }, () => raw(query))) },
      target: { atMost: 30 },
    }));
    rows.push({
      row: `index ${threads * EACH} messages, in idle time`,
      unit: 'ms',
      ours: indexed,
      target: {},
    });
    storage.close();
    return rows;
  });
}

/** A message on its way to a provider that answers immediately. */
async function submitting(quick: boolean): Promise<Row[]> {
  const provider = await startAnswerer('That part is done.');
  try {
    return await withApp(async (folder, launch) => {
      const data = join(folder, 'data');
      const storage = open(data);
      seed(storage, join(folder, 'project'), [SHORT], provider.baseUrl);
      while (storage.search.index(1_000));
      storage.close();
      const window = await openWindow(launch({ data }));
      try {
        const thread = { id: `t${SHORT}`, last: lastOf(SHORT) };
        return await sending(window, provider, thread, quick ? SENT / 2 : SENT);
      } finally {
        await window.close();
      }
    });
  } finally {
    provider.close();
  }
}

/** A flood of output, in the app and in xterm.js alone. */
async function terminals(quick: boolean): Promise<Row[]> {
  return withApp(async (folder, launch) => {
    const [data, project] = [join(folder, 'app-data'), join(folder, 'project')];
    const storage = open(data);
    seed(storage, project, [SHORT], 'http://127.0.0.1:1/v1');
    storage.close();
    const bare = launch({ app: makeBareTerminal(join(folder, 'bare')), data: join(folder, 'bare-data') });
    return flooding(launch({ data }), bare, project, { megabytes: FLOOD, runs: quick ? 1 : 3 });
  });
}

/** Opening long threads, and one of them while an answer streams in. */
async function longThreads(quick: boolean): Promise<Row[]> {
  const provider = await startProvider(RATE, SECONDS);
  try {
    return await withApp(async (folder, launch) => {
      const data = join(folder, 'data');
      const storage = open(data);
      seed(storage, join(folder, 'project'), [SHORT, MIDDLE, LONG], provider.baseUrl);
      while (storage.search.index(1_000));
      storage.close();
      const window = await openWindow(launch({ data }));
      try {
        await window.send('Performance.enable', {});
        const opened = await opening(window, quick ? 3 : RUNS);
        return [...opened, ...(await openers(window)), ...(await streaming(window))];
      } finally {
        await window.close();
      }
    });
  } finally {
    provider.close();
  }
}

export default async function measure({ only, row, quick }: GroupOptions): Promise<Row[]> {
  const parts: Record<string, () => Promise<Row[]>> = {
    search: () => searching(quick),
    terminal: () => terminals(quick),
    threads: () => withApp((folder, launch) => manyThreads(folder, launch, quick ? 3 : RUNS)),
    sending: () => submitting(quick),
    load: () => withApp((folder, launch) => underLoad(folder, launch, quick)),
    window: () => longThreads(quick),
  };
  const rows: Row[] = [];
  for (const [part, measured] of Object.entries(parts))
    if (only.length === 0 || only.includes(part)) rows.push(...(await measured()));
  return rows.filter((one) => one.row.includes(row));
}
