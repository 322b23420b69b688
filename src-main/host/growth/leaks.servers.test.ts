import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import type { TerminalInfo } from '../../contract/app';
import type { ThreadId } from '../../contract/ids';
import { SlowModel } from '../testing/slow-model';
import { isIdle, setUp } from '../testing/window';
import { GROWTH, keepResult } from './testing/asked';
import { type Held, held } from './testing/resources';

vi.setConfig({ testTimeout: 3_600_000 });
/** Repetitions before the baseline: caches fill, code is compiled. */
const WARM_UP = 20;
const PARTS = 5;
/** Most bytes of the heap that each thread may leave: it stays in the list. */
const HEAP_PER_THREAD = 20_000;
/** The same for a terminal, which leaves nothing. */
const HEAP_PER_TERMINAL = 4_000;
const HEAP_IN_EIGHT_HOURS = 4_000_000;
const MINUTE = 60_000;
/** Milliseconds without a change. */
const SETTLE = 500;
const COUNTS = ['descriptors', 'watches', 'timers', 'processes'] as const;

type Test = Awaited<ReturnType<typeof setUp>>;

/**
 * What each repetition leaves, measured in parts. The middle part counts: code that is compiled or released adds to
 * single parts and takes from others, whenever that happens. What every repetition leaves is in all of them.
 */
async function repeated(name: string, times: number, once: (round: number) => Promise<void>) {
  for (let round = 0; round < WARM_UP; round += 1) await once(round);
  const each = Math.ceil(times / PARTS);
  const before = await settled();
  const heapEach: number[] = [];
  let after = before;
  for (let part = 0; part < PARTS; part += 1) {
    const { heap } = after;
    for (let round = 0; round < each; round += 1) await once(WARM_UP + part * each + round);
    after = await settled();
    heapEach.push((after.heap - heap) / each);
  }
  keepResult(name, { times: each * PARTS, before, after });
  return { grown: grown(before, after), heapEach: heapEach.sort((a, b) => a - b)[(PARTS - 1) / 2] };
}

/** What is held when nothing goes away any more: processes and descriptors that were closed take a moment. */
async function settled(): Promise<Held> {
  for (let last = await held(); ; ) {
    await sleep(SETTLE);
    const now = await held();
    if (COUNTS.every((name) => now[name] === last[name])) return now;
    last = now;
  }
}

/** What there is more of than before. */
const grown = (before: Held, after: Held) => COUNTS.filter((name) => after[name] > before[name]);

/** The window keeps every event for other tests. */
const forget = ({ window }: Test) => void window.events.splice(0);

const linux = it.runIf(process.platform === 'linux');

linux(
  `${GROWTH.threads} threads that were opened, worked, and were closed leave only their rows`,
  async () => {
    const t = await setUp();
    const model = SlowModel.into(t.host, []);
    await t.window.must('app.open', {});
    const once = async (round: number) => {
      const { id }: { id: ThreadId } = await t.window.must('thread.create', { projectId: t.projectId });
      await t.window.open(id);
      await t.window.must('thread.send', { threadId: id, text: `hello ${round}` });
      await t.window.until(isIdle);
      await t.window.must('thread.close', { threadId: id });
      forget(t);
      model.play([]);
    };
    const { grown, heapEach } = await repeated('threads', GROWTH.threads, once);
    expect(grown).toEqual([]);
    expect(heapEach).toBeLessThan(HEAP_PER_THREAD);
    expect(t.reports).toEqual([]);
  },
);

linux(`${GROWTH.terminals} terminals that were opened and closed leave nothing`, async () => {
  const t = await setUp();
  await t.window.must('app.open', {});
  const once = async () => {
    const size = { cols: 80, rows: 24 };
    const { id }: TerminalInfo = await t.window.must('terminal.create', { projectId: t.projectId, ...size });
    await t.window.must('terminal.attach', { terminalId: id });
    await t.window.must('terminal.input', { terminalId: id, data: 'echo hello\n' });
    await t.window.must('terminal.kill', { terminalId: id });
    await t.window.must('terminal.close', { terminalId: id });
    forget(t);
  };
  const { grown, heapEach } = await repeated('terminals', GROWTH.terminals, once);
  expect(grown).toEqual([]);
  expect(heapEach).toBeLessThan(HEAP_PER_TERMINAL);
  expect(t.reports).toEqual([]);
});

linux(
  `${GROWTH.hours} hours with an open thread, a watched folder and a terminal leave nothing`,
  async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval', 'Date'] });
    const t = await setUp({ schedules: true });
    await t.window.must('app.open', {});
    await t.window.must('files.list', { projectId: t.projectId, threadId: null, path: t.folder });
    await t.window.must('terminal.create', { projectId: t.projectId, cols: 80, rows: 24 });
    const pass = async (minutes: number) => {
      for (let minute = 0; minute < minutes; minute += 1) {
        await vi.advanceTimersByTimeAsync(MINUTE);
        // What a timer started outside of this process gets a turn.
        await new Promise((resolve) => setImmediate(resolve));
      }
      forget(t);
    };
    await pass(30);
    const [before, timers] = [await held(), vi.getTimerCount()];
    await pass(GROWTH.hours * 60);
    const after = await held();
    keepResult('hours', {
      times: GROWTH.hours,
      before: { ...before, timers },
      after: { ...after, timers: vi.getTimerCount() },
    });
    expect(vi.getTimerCount()).toBeLessThanOrEqual(timers);
    expect(grown(before, after)).toEqual([]);
    expect(after.heap - before.heap).toBeLessThan(HEAP_IN_EIGHT_HOURS);
    expect(t.reports).toEqual([]);
    vi.useRealTimers();
  },
);
