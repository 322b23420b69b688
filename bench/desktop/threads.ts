// A sidebar with thousands of threads: opening the window, typing in the filter, and scrolling through them all.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { type OpenWindow, openWindow } from '../electron-window';
import { median, quantile, type Row } from '../row';
import type { LaunchApp } from './app';
import { addThread, open, seed } from './data';
import * as page from './page';

const MANY_ROWS = 3_000;
const FEW_ROWS = 12;
/** Messages per thread; the list reads none of them. */
const EACH = 2;
/** Typed key by key; each key leaves a different number of threads. */
const TYPED = '1999';

const Numbers = z.array(z.number());

/** Expands the older threads, and resolves when they can be scrolled. */
const unfold = `new Promise((resolve) => {
  const fold = document.querySelector('[data-row^="older:"]');
  if (fold && fold.getAttribute('aria-expanded') !== 'true') fold.click();
  requestAnimationFrame(() => requestAnimationFrame(() => resolve(true)));
})`;

/** Types into the filter as a person does; milliseconds from each key until the filtered list is on the screen. */
const filterKey = (text: string) => `new Promise((resolve) => {
  const field = document.querySelector('[data-search-all]');
  field.focus();
  const from = performance.now();
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, ${JSON.stringify(text)});
  field.dispatchEvent(new Event('input', { bubbles: true }));
  requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - from)));
})`;

/** Scrolls the list by this many pixels per frame; times between frames. */
const scroll = (by: number, milliseconds: number) => `new Promise((resolve, reject) => {
  let list = document.querySelector('[data-thread]');
  while (list && !(list.scrollHeight > list.clientHeight && /auto|scroll/.test(getComputedStyle(list).overflowY)))
    list = list.parentElement;
  if (!list) return reject(new Error('the list of threads does not scroll'));
  const times = [];
  let last;
  const until = performance.now() + ${milliseconds};
  const step = (now) => {
    if (last !== undefined) times.push(now - last);
    last = now;
    list.scrollTop += ${by};
    if (now < until) requestAnimationFrame(step);
    else resolve(times);
  };
  requestAnimationFrame(step);
})`;

async function type(window: OpenWindow): Promise<number[]> {
  const keys: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    for (let end = 1; end <= TYPED.length; end += 1) {
      keys.push(z.number().parse(await window.evaluate(filterKey(TYPED.slice(0, end)))));
      await setTimeout(60);
    }
    await window.evaluate(filterKey(''));
    await setTimeout(60);
  }
  return keys;
}

/** A data folder with one project of this many threads. */
function fill(folder: string, count: number): string {
  const data = join(folder, `data-${count}`);
  const storage = open(data);
  mkdirSync(join(folder, 'project'), { recursive: true });
  seed(storage, join(folder, 'project'), [], 'http://127.0.0.1:1/v1');
  for (let thread = 0; thread < count; thread += 1)
    addThread(storage, `s${thread}`, `Thread ${thread}`, EACH, thread);
  while (storage.search.index(1_000));
  storage.close();
  return data;
}

/** Few and many threads alternate, so that other load on the machine affects both. */
export async function manyThreads(folder: string, launch: LaunchApp, runs: number): Promise<Row[]> {
  const of = (count: number) => ({
    count,
    data: fill(folder, count),
    starts: [] as number[],
    keys: [] as number[],
  });
  const [few, many] = [of(FEW_ROWS), of(MANY_ROWS)];
  let still: number[] = [];
  let frames: number[] = [];
  // The first start creates the profile.
  for (let run = 0; run <= runs; run += 1)
    for (const { count, data, starts, keys } of [few, many]) {
      const window = await openWindow(launch({ data }));
      try {
        if (run > 0) starts.push(window.usable);
        if (run < runs) continue;
        // The work after the start is finished by then.
        await setTimeout(2_000);
        if (count === MANY_ROWS) {
          await window.evaluate(unfold);
          still = Numbers.parse(await window.evaluate(page.frames(1_500)));
          frames = Numbers.parse(await window.evaluate(scroll(60, 2_500)));
        }
        keys.push(...(await type(window)));
      } finally {
        await window.close();
      }
    }
  return [
    {
      row: `open the window with ${MANY_ROWS.toLocaleString('en')} threads`,
      unit: 'ms',
      ours: median(many.starts),
      anchor: { name: `with ${FEW_ROWS}`, value: median(few.starts) },
      target: { ratio: 1.1 },
    },
    {
      row: `a key in the filter over ${MANY_ROWS.toLocaleString('en')} threads, 95 %`,
      unit: 'ms',
      ours: quantile(many.keys, 0.95),
      anchor: { name: `over ${FEW_ROWS}`, value: quantile(few.keys, 0.95) },
      target: { atMost: 20 },
    },
    {
      row: `scroll through ${MANY_ROWS.toLocaleString('en')} threads, 95 % of frames`,
      unit: 'ms',
      ours: quantile(frames, 0.95),
      anchor: { name: 'nothing happens', value: quantile(still, 0.95) },
      target: { ratio: 1.1 },
    },
  ];
}
