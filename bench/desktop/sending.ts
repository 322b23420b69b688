// From the key that sends a message to the request at the provider: how long the person's text takes.
import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import type { OpenWindow } from '../electron-window';
import { median, type Row } from '../row';
import * as page from './page';
import type { Provider } from './provider';

/** Milliseconds between two messages: the work after a turn is finished by then. */
const PAUSE = 300;
/** Milliseconds within which a request must arrive. */
const WITHIN = 20_000;

const Numbers = z.array(z.number());

/** Types a message into the composer and sends it with Enter. */
export async function say(window: OpenWindow, text: string): Promise<void> {
  await window.evaluate(`document.querySelector('textarea').focus()`);
  await window.send('Input.insertText', { text });
  // Nobody presses Enter before they see what they wrote.
  await window.evaluate(page.drawn);
  const key = { key: 'Enter', code: 'Enter', windowsVirtualKeyCode: 13 };
  await window.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...key });
  await window.send('Input.dispatchKeyEvent', { type: 'keyUp', ...key });
}

/** Sends one message after another to a thread, each after the agent's answer; the first one loads the harness. */
export async function sending(
  window: OpenWindow,
  provider: Provider,
  thread: { id: string; last: string },
  messages: number,
): Promise<Row[]> {
  await window.evaluate(page.openThread(thread.id, thread.last));
  await window.evaluate(page.watchEnter);
  const took: number[] = [];
  for (let message = 0; message <= messages; message += 1) {
    await setTimeout(PAUSE);
    const before = provider.asked.length;
    await say(window, `Go on with part ${message}`);
    const late = performance.now() + WITHIN;
    while (provider.asked.length === before) {
      if (performance.now() > late) throw new Error('the provider was not asked');
      await setTimeout(2);
    }
    const enter = Numbers.parse(await window.evaluate('window.enterTimes')).at(-1);
    took.push((provider.asked[before] ?? Number.NaN) - (enter ?? Number.NaN));
    await window.evaluate(page.whenAtRest);
  }
  const [first = Number.NaN, ...rest] = took;
  const last = rest.toSorted((a, b) => a - b)[Math.floor(rest.length * 0.95)] ?? Number.NaN;
  const row = 'submit to the request at the provider';
  return [
    { row: `${row}, 95 %`, unit: 'ms', ours: last, target: { atMost: 10 } },
    { row: `${row}, median`, unit: 'ms', ours: median(rest), target: {} },
    { row: `${row}, the first after the start`, unit: 'ms', ours: first, target: { atMost: 60 } },
  ];
}
