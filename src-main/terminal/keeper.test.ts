import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { TerminalId } from '../contract/ids';
import { Keeper } from './keeper';
import { Recorder } from './recorder';
import { memoryStore } from './testing/processes';

const id = TerminalId.parse('a-terminal');
let kept: ReturnType<typeof memoryStore>;
/** Units of each piece that was filtered, in order. */
let pieces: number[];
let errors: unknown[];
let record: Recorder;
let keeper: Keeper;

const output = () => kept.outputs.get(id) ?? '';
const print = (text: string) => {
  record.push(text);
  keeper.printed(id, record);
};
/** Distinguishable lines. */
const lines = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => `line ${from + at} of many\r\n`).join('');

beforeEach(() => {
  vi.useFakeTimers();
  kept = memoryStore();
  pieces = [];
  errors = [];
  record = new Recorder();
  const clean = (one: TerminalId, piece: string) => {
    pieces.push(piece.length);
    return kept.store.clean(one, piece);
  };
  keeper = new Keeper({ ...kept.store, clean }, (error) => errors.push(error));
});
afterEach(() => vi.useRealTimers());

it('saves output in order after a short delay', async () => {
  print('one\r\n');
  print('two\r\n');
  expect(output()).toBe('');
  await vi.advanceTimersByTimeAsync(300);
  print('three ✓\r\n');
  await vi.advanceTimersByTimeAsync(300);
  expect([output(), pieces]).toEqual(['one\r\ntwo\r\nthree ✓\r\n', [10, 9]]);
});

it('filters long output in pieces and lets other work run between them', async () => {
  const text = lines(0, 15_000);
  print(text);
  vi.advanceTimersByTime(250);
  const turns: number[] = [];
  while (output() === '' && turns.length < 100) {
    turns.push(pieces.length);
    vi.advanceTimersToNextTimer();
  }
  expect([output() === text, Math.max(...pieces) <= 65_536, turns]).toEqual([true, true, [0, 1, 2, 3, 4]]);
});

it('drops most of a flood, keeps its end, and notes the gap', async () => {
  let all = '';
  for (let at = 0; at < 200; at += 1) {
    const text = lines(at * 10_000, 10_000);
    all += text;
    print(text);
    await vi.advanceTimersByTimeAsync(50);
  }
  await vi.advanceTimersByTimeAsync(1_000);
  const gap = '\r\n[… not kept …]\r\n';
  expect([output().startsWith(gap), output().endsWith(all.slice(-500_000))]).toEqual([true, true]);
  expect(output().length).toBeLessThan(all.length / 4);
});

it('saves all output of a terminal before it reports the exit', async () => {
  let isOver = false;
  const text = lines(0, 20_000);
  print(text);
  keeper.finish(id, () => {
    isOver = true;
  });
  expect([isOver, keeper.isFinishing(id), keeper.has(id)]).toEqual([false, true, false]);
  await vi.advanceTimersByTimeAsync(100);
  expect([isOver, keeper.isFinishing(id), keeper.has(id), output() === text]).toEqual([
    true,
    false,
    true,
    true,
  ]);
});

it('saves short output immediately when a terminal exits', () => {
  let isOver = false;
  print('hello\r\n');
  keeper.finish(id, () => {
    isOver = true;
  });
  expect([isOver, output()]).toEqual([true, 'hello\r\n']);
});

it('writes everything that is pending when the app quits', async () => {
  const text = lines(0, 15_000);
  print(text);
  vi.advanceTimersByTime(251);
  print('and the end');
  keeper.flush();
  expect(output() === `${text}and the end`).toBe(true);
});

it('reports a failing store once, continues, and still saves the output of other terminals', async () => {
  const other = TerminalId.parse('another');
  keeper = new Keeper(
    {
      ...kept.store,
      append: (one, data) => {
        if (one === id) throw new Error('disk full');
        kept.store.append(one, data);
      },
    },
    (error) => errors.push(error),
  );
  const second = new Recorder();
  second.push('fine');
  keeper.printed(other, second);
  print(lines(0, 15_000));
  await vi.advanceTimersByTimeAsync(300);
  print('more');
  await vi.advanceTimersByTimeAsync(300);
  let isOver = false;
  keeper.finish(id, () => {
    isOver = true;
  });
  await vi.advanceTimersByTimeAsync(300);
  expect([errors, isOver, keeper.has(id), kept.outputs.get(other)]).toEqual([
    [new Error('disk full')],
    true,
    false,
    'fine',
  ]);
});
