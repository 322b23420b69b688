import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { compareFolders } from './recordings.mjs';
import { transcript } from './transcript.mjs';

type Recording = Parameters<typeof transcript>[0];
type Events = Recording['events'][number];

const recording = (parts: Partial<Recording> = {}): Recording => ({
  file: 'a.spec.ts',
  title: 'a test',
  temp: '/tmp/run',
  requests: [],
  events: [],
  outputs: [],
  ...parts,
});

/** Numbers the events of a thread. */
const thread = (...events: { type: string; [key: string]: unknown }[]): Events =>
  events.map((event, index) => ({ ...event, threadId: 't', seq: index + 1 }));

const read = (given: Partial<Recording>) => JSON.parse(transcript(recording(given)));

/** A run with values that no other run repeats. */
const run = (random: { id: string; call: string; end: string; port: number; at: number; day: string }) => {
  const temp = join(tmpdir(), `deepdesk-e2e-${random.port}-${random.end}`);
  const folder = join(temp, `notes-${random.end}`);
  return recording({
    temp,
    requests: [
      {
        method: 'POST',
        path: '/v1/messages',
        headers: { host: `127.0.0.1:${random.port}`, 'content-length': String(random.port), accept: '*/*' },
        body: {
          system: `Project folder: ${folder}\nSystem: Linux ${random.port}\nDate: ${random.day}`,
          messages: [
            { type: 'tool_use', id: random.call, input: { file_path: `${folder}/a.txt` } },
            { type: 'tool_result', tool_use_id: random.call, content: `http://127.0.0.1:${random.port}/` },
          ],
        },
      },
    ],
    events: [
      [
        ...thread(
          { type: 'turn.started', turnId: random.id, at: random.at },
          {
            type: 'tool.ended',
            callId: random.call,
            durationMs: random.port,
            result: 'Took 3 ms',
          },
          { type: 'usage.changed', usage: { input: random.port } },
        ),
        { type: 'project.changed', project: { name: `notes-${random.end}`, inode: String(random.port) } },
      ],
    ],
  });
};

it('is equal for two runs that differ in ids, paths, ports, times and counts', () => {
  const one = run({
    id: '211f1cd8-179a-4bd7-bfa3-6deb8c711fb9',
    call: 'toolu_urSzmOggrBeVtZoibwZeDW9R',
    end: 'c2or0S',
    port: 43_741,
    at: 1_795_351_900_354,
    day: '2026-11-22',
  });
  const other = run({
    id: '13015084-e5e7-4e2a-ba8c-ef0b5c9df0e2',
    call: 'toolu_LVbugHUi5JyV6Ft087ai16xK',
    end: 'zHmRJS',
    port: 9_120,
    at: 1_795_999_999_999,
    day: '2027-01-03',
  });
  expect(transcript(one)).toBe(transcript(other));
});

it('differs if a request has another call, path, header or text', () => {
  const request = {
    method: 'POST',
    path: '/v1/messages',
    headers: { 'anthropic-version': '2023-06-01' },
    body: { calls: ['toolu_urSzmOggrBeVtZoibwZeDW9R', 'toolu_urSzmOggrBeVtZoibwZeDW9R'], text: 'Hello' },
  };
  const changes = [
    { method: 'GET' },
    { path: '/v1/models' },
    { headers: { 'anthropic-version': '2024-06-01' } },
    { headers: {} },
    { body: { ...request.body, calls: [request.body.calls[0], 'toolu_LVbugHUi5JyV6Ft087ai16xK'] } },
    { body: { ...request.body, text: 'Hello!' } },
  ];
  const before = transcript(recording({ requests: [request] }));
  for (const change of changes)
    expect(transcript(recording({ requests: [{ ...request, ...change }] }))).not.toBe(before);
});

it('keeps the order of requests and of thread events', () => {
  const [first, second] = ['a', 'b'].map((path) => ({ method: 'GET', path, headers: {} }));
  if (!first || !second) throw new Error('two requests');
  expect(transcript(recording({ requests: [first, second] }))).not.toBe(
    transcript(recording({ requests: [second, first] })),
  );
  const [one, other] = [{ type: 'turn.waiting' }, { type: 'turn.resumed' }];
  expect(read({ events: [thread(one, other)] }).apps[0].threads[0]).toMatchObject([one, other]);
});

it('reads a thread only once if two windows show it', () => {
  const events = thread({ type: 'turn.started' }, { type: 'turn.ended' });
  expect(read({ events: [events.flatMap((event) => [event, event])] })).toEqual(read({ events: [events] }));
});

const streaming = (text: string) => ({
  type: 'message.added',
  message: { id: 'm', phase: 'streaming', text, reasoning: '' },
});
const delta = (text: string, reasoning = '') => ({ type: 'message.delta', messageId: 'm', text, reasoning });
const done = (type: 'message.added' | 'message.ended', text: string) => ({
  type,
  message: { id: 'm', phase: 'done', text, reasoning: 'why' },
});

it('reads a message the same, however its text was streamed', () => {
  const usage = { type: 'usage.changed', usage: {} };
  const slow = [streaming('On'), delta('e t'), usage, delta('wo', 'why'), done('message.ended', 'One two')];
  const fast = [usage, done('message.added', 'One two')];
  expect(read({ events: [thread(...slow)] })).toEqual(read({ events: [thread(...fast)] }));
});

it('keeps streamed text that the final message lacks', () => {
  const [first] = read({ events: [thread(streaming('One'), delta(' two'))] }).apps[0].threads;
  expect(first).toMatchObject([{ type: 'message.delta', text: 'One two' }]);
  const [other] = read({ events: [thread(streaming('Two'), done('message.ended', 'One'))] }).apps[0].threads;
  expect(other).toMatchObject([{ message: { text: 'One' } }, { type: 'message.delta', text: 'Two' }]);
});

it('puts parallel calls in the order in which the agent made them, and keeps the order within each', () => {
  const message = { type: 'message.added', message: { calls: [{ callId: 'b' }, { callId: 'a' }] } };
  const asked = (callId: string) => ({ type: 'approval.requested', approval: { callId } });
  const ended = (callId: string) => ({ type: 'tool.ended', callId });
  const one = thread(message, asked('b'), ended('b'), asked('a'), ended('a'));
  const other = thread(message, asked('a'), asked('b'), ended('a'), ended('b'));
  const turned = thread(message, ended('b'), asked('b'), asked('a'), ended('a'));
  expect(read({ events: [other] })).toEqual(read({ events: [one] }));
  expect(read({ events: [turned] })).not.toEqual(read({ events: [one] }));
});

it('ignores the order and repetition of app events', () => {
  const [theme, files] = [
    { type: 'settings.changed', settings: { theme: 'dark' } },
    { type: 'memories.changed', paths: ['a'] },
  ];
  expect(read({ events: [[theme, files, theme]] })).toEqual(read({ events: [[files, theme]] }));
  expect(read({ events: [[theme]] })).not.toEqual(read({ events: [[files]] }));
});

it('reads JSON lines of the headless command as events, and everything else as text', () => {
  const events = thread({ type: 'turn.started', at: 1 }, { type: 'turn.ended', at: 2 });
  const lines = events.map((event) => JSON.stringify(event)).join('\n');
  expect(read({ outputs: [lines] }).outputs).toEqual(read({ events: [events] }).apps[0].threads);
  expect(read({ outputs: ['Done.\n'] }).outputs).toEqual([['Done.']]);
});

it('finds journeys that differ or are missing in one recording', () => {
  const folder = mkdtempSync(join(tmpdir(), 'deepdesk-transcripts-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const write = (side: string, name: string, output: string) => {
    mkdirSync(join(folder, side, 'a'), { recursive: true });
    const text = JSON.stringify(recording({ outputs: [output] }));
    writeFileSync(join(folder, side, 'a', `${name}.json`), text);
  };
  write('before', 'same', 'one');
  write('after', 'same', 'one');
  write('before', 'changed', JSON.stringify({ type: 'a', seq: 1, text: 'head\none\ntail' }));
  write('after', 'changed', JSON.stringify({ type: 'a', seq: 1, text: 'head\ntwo\ntail' }));
  write('before', 'lost', 'one');
  const { compared, differences } = compareFolders(join(folder, 'before'), join(folder, 'after'));
  expect(compared).toBe(3);
  expect(differences).toHaveLength(2);
  expect(differences[0]).toMatch(/^-one\\n$/m);
  expect(differences[0]).toMatch(/^\+two\\n$/m);
  expect(differences[1]).toContain(join('after', 'a', 'lost.json'));
});
