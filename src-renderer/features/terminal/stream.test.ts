import { TerminalInfo } from '@contract/app';
import { type Answer, ok } from '@contract/result';
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

/** A terminal whose snapshots, events and drawing the test controls. */
function stage() {
  const log: string[] = [];
  let receive: (offset: number, data: string) => void = () => {};
  const answers: ((snapshot: Snapshot) => void)[] = [];
  const undrawn: (() => void)[] = [];
  let text = '';
  const link: TerminalLink = {
    attach: () =>
      new Promise<Answer<{ terminal: TerminalInfo; offset: number; data: string }>>((resolve) => {
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
  let again = () => {};
  const screen: Screen = {
    begin: () => {
      text = '';
    },
    write: (data, drawn) => {
      text += data;
      if (drawn !== undefined) undrawn.push(drawn);
    },
    live: () => log.push('live'),
    failed: (error, retry) => {
      log.push(`failed: ${error.message}`);
      again = retry;
    },
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
      answers.shift()?.({ ok: false, error: { kind: 'not_found', message } });
      await Promise.resolve();
    },
    again: () => again(),
    drawn: () => undrawn.shift()?.(),
    drawAll: () => {
      for (let drawn = undrawn.shift(); drawn !== undefined; drawn = undrawn.shift()) drawn();
    },
  };
}

it('writes each unit once if events overlap the snapshot', async () => {
  const s = stage();
  s.data(0, 'hello ');
  s.data(6, 'world');
  await s.answer(0, 'hello wo');
  s.data(11, '!');
  s.data(10, 'd!?');
  s.drawAll();
  expect(s.text()).toBe('hello world!?');
});

it('requests a new snapshot when data is missing', async () => {
  const s = stage();
  await s.answer(0, 'abc');
  s.data(10, 'k');
  expect(s.asked()).toBe(1);
  await s.answer(0, 'abcdefghij');
  s.drawAll();
  expect(s.text()).toBe('abcdefghijk');
});

it('acknowledges data when the screen accepts it, and writes queued data as soon as the screen is done', async () => {
  const s = stage();
  await s.answer(0, 'a');
  expect(s.log).toEqual(['ack 1']);
  s.drawn();
  expect(s.log).toEqual(['ack 1', 'live']);
  s.data(1, 'bb');
  s.data(3, 'cc');
  s.data(5, 'dd');
  expect([s.text(), s.log.slice(2)]).toEqual(['abb', ['ack 3']]);
  s.drawn();
  expect([s.text(), s.log.slice(2)]).toEqual(['abbccdd', ['ack 3', 'ack 7']]);
  s.drawAll();
  expect(s.log.slice(2)).toEqual(['ack 3', 'ack 7']);
});

it('discards queued data that a new snapshot contains', async () => {
  const s = stage();
  await s.answer(0, 'a');
  s.data(1, 'bb');
  s.data(9, 'z');
  await s.answer(0, 'abbccdddd');
  s.drawAll();
  expect([s.text(), s.log]).toEqual(['abbccddddz', ['ack 1', 'ack 9', 'live', 'ack 10']]);
});

it('says why it can show nothing, and asks again when told to', async () => {
  const s = stage();
  await s.refuse('This terminal was closed.');
  expect(s.log).toEqual(['failed: This terminal was closed.']);
  s.again();
  await s.answer(0, 'a');
  s.drawAll();
  expect([s.text(), s.log.slice(1)]).toEqual(['a', ['ack 1', 'live']]);
});

it('detaches once and draws nothing afterwards', async () => {
  const s = stage();
  await s.answer(0, 'a');
  s.stop();
  s.data(1, 'b');
  s.drawAll();
  expect([s.text(), s.log]).toEqual(['a', ['ack 1', 'detach']]);
});
