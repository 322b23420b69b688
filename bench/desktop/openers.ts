// The palette, Settings and the panels over a long thread: for how long the page does nothing else while they open.
import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import type { OpenWindow } from '../electron-window';
import type { Row } from '../row';

const [CTRL, SHIFT] = [2, 8];
/** Keys that open something, and whether Escape closes it; otherwise the same key does. */
const OPENERS = [
  { code: 'KeyK', key: 'k', modifiers: CTRL, escapes: true },
  { code: 'KeyP', key: 'p', modifiers: CTRL, escapes: true },
  { code: 'Comma', key: ',', modifiers: CTRL, escapes: true },
  { code: 'KeyA', key: 'A', modifiers: CTRL + SHIFT, escapes: true },
  { code: 'KeyY', key: 'Y', modifiers: CTRL + SHIFT, escapes: true },
  { code: 'KeyJ', key: 'j', modifiers: CTRL, escapes: false },
  { code: 'KeyG', key: 'G', modifiers: CTRL + SHIFT, escapes: false },
  { code: 'KeyM', key: 'M', modifiers: CTRL + SHIFT, escapes: false },
  { code: 'KeyP', key: 'P', modifiers: CTRL + SHIFT, escapes: false },
  { code: 'KeyE', key: 'E', modifiers: CTRL + SHIFT, escapes: false },
] as const;
/** Milliseconds after which each of them is open. */
const OPEN = 600;
const CLOSED = 300;
const ROUNDS = 5;

/** Collects how long the tasks of the page take that block it: those over 50 ms. */
const watchTasks = `(() => {
  window.longTasks = [];
  new PerformanceObserver((list) => window.longTasks.push(...list.getEntries().map(({ duration }) => duration)))
    .observe({ type: 'longtask' });
})()`;

async function press(window: OpenWindow, key: { code: string; key: string; modifiers: number }) {
  const windowsVirtualKeyCode = key.key === 'Escape' ? 27 : key.key.toUpperCase().charCodeAt(0);
  await window.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', windowsVirtualKeyCode, ...key });
  await window.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key });
}

/** The longest task while each opens: the first time, which loads its code, and later. 0 if none is over 50 ms. */
export async function openers(window: OpenWindow): Promise<Row[]> {
  await window.evaluate(watchTasks);
  const longest: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await window.evaluate('window.longTasks.length = 0');
    for (const { escapes, ...key } of OPENERS) {
      await press(window, key);
      await setTimeout(OPEN);
      await press(window, escapes ? { code: 'Escape', key: 'Escape', modifiers: 0 } : key);
      await setTimeout(CLOSED);
    }
    longest.push(z.number().parse(await window.evaluate('Math.max(0, ...window.longTasks)')));
  }
  const [first = Number.NaN, ...later] = longest;
  const row = 'the palette, Settings or a panel opens: longest task over 50 ms';
  return [
    { row, unit: 'ms', ours: Math.max(...later), target: { atMost: 50 } },
    { row: `${row}, the first time`, unit: 'ms', ours: first, target: { atMost: 50 } },
  ];
}
