import { TerminalInfo } from '@contract/app';
import { fail, ok, type Result } from '@contract/result';
import { expect, it } from 'vitest';
import { type Screen, showTerminal, type TerminalLink } from './stream';

const terminal = TerminalInfo.parse({
  id: 't1',
  kind: 'agent',
  projectId: 'p',
  threadId: 'th',
  callId: 'c',
  command: 'make',
  cwd: '/p',
  startedAt: 0,
  endedAt: null,
  exitCode: null,
  status: 'running',
  cols: 80,
  rows: 24,
});
type Snapshot = Awaited<ReturnType<TerminalLink['attach']>>;

/** A terminal whose snapshots, events and drawing happen when the test says so. */
function stage() {
  const log: string[] = [];
  let receive: (offset: number, data: string) => void = () => {};
  const answers: ((snapshot: Snapshot) => void)[] = [];
  const undrawn: (() => void)[] = [];
  let text = '';
  const link: TerminalLink = {
    attach: () =>
      new Promise<Result<{ terminal: TerminalInfo; offset: number; data: string }>>((resolve) => {
        answers.push(resolve);
      }),
    onData: (next) => {
      receive = next;
      return () => {
        receive = () => {};
      };
    },
    ack: (offset) => log.push(`ack ${offset}`),
    detach: () => log.push('detach'),
  };
  const screen: Screen = {
    begin: () => {
      text = '';
    },
    write: (data, drawn) => {
      text += data;
      undrawn.push(drawn);
    },
    live: () => log.push('live'),
    failed: (message) => log.push(`failed: ${message}`),
  };
  return {
    stop: showTerminal(link, screen),
    log,
    text: () => text,
    data: (offset: number, data: string) => receive(offset, data),
    asked: () => answers.length,
    answer: async (offset: number, data: string) => {
      answers.shift()?.(ok({ terminal, offset, data }));
      await Promise.resolve();
    },
    refuse: async (message: string) => {
      answers.shift()?.(fail('not_found', message));
      await Promise.resolve();
    },
    drawAll: () => {
      for (const drawn of undrawn.splice(0)) drawn();
    },
  };
}

it('writes each unit once where events overlap the snapshot', async () => {
  const s = stage();
  s.data(0, 'hello ');
  s.data(6, 'world');
  await s.answer(0, 'hello wo');
  s.data(11, '!');
  s.data(10, 'd!?');
  expect(s.text()).toBe('hello world!?');
});

it('takes a fresh snapshot when something is missing', async () => {
  const s = stage();
  await s.answer(0, 'abc');
  s.data(10, 'k');
  expect(s.asked()).toBe(1);
  await s.answer(0, 'abcdefghij');
  expect(s.text()).toBe('abcdefghijk');
});

it('acknowledges only what was drawn, in steps while it flows and at once when it pauses', async () => {
  const s = stage();
  await s.answer(0, 'a');
  expect(s.log).toEqual([]);
  s.drawAll();
  expect(s.log).toEqual(['ack 1', 'live']);
  s.data(1, 'x'.repeat(6_000));
  s.data(6_001, 'y'.repeat(10));
  s.drawAll();
  expect(s.log.slice(2)).toEqual(['ack 6001', 'ack 6011']);
});

it('says why there is nothing to show', async () => {
  const s = stage();
  await s.refuse('This terminal was closed.');
  expect(s.log).toEqual(['failed: This terminal was closed.']);
});

it('detaches once and draws nothing afterwards', async () => {
  const s = stage();
  await s.answer(0, 'a');
  s.stop();
  s.data(1, 'b');
  s.drawAll();
  expect([s.text(), s.log]).toEqual(['a', ['detach']]);
});
