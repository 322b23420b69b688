import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type ServerEvent, ServerEvents } from './server-events';

function read(...pieces: string[]): ServerEvent[] {
  const events = new ServerEvents();
  return [...pieces.flatMap((piece) => events.take(piece)), ...events.end()];
}

const STREAM =
  ': hello\r\n\r\nevent: a\r\ndata: {"n":1}\r\rdata:{"n":\ndata: 2}\n\nid: 3\nretry\nevent\ndata: [DONE]\n\n{\n"error": true\r\n}';

it('reads the same events however the stream is cut', () => {
  const expected = [
    { name: 'a', data: '{"n":1}' },
    { data: '{"n": 2}' },
    { data: '[DONE]' },
    { data: '{ "error": true }' },
  ];
  fc.assert(
    fc.property(fc.array(fc.nat(STREAM.length), { maxLength: 40 }), (cuts) => {
      const places = [0, ...cuts.toSorted((a, b) => a - b), STREAM.length];
      const pieces = places.slice(1).map((end, index) => STREAM.slice(places[index], end));
      expect(read(...pieces)).toEqual(expected);
    }),
  );
});

it.each([
  ['lines of JSON as they come', '{"n":1}\n{"n":2}\n', [{ data: '{"n":1}' }, { data: '{"n":2}' }]],
  ['a value of several lines', '[{"n":1},\n\n{"n":2}]', [{ data: '[{"n":1}, {"n":2}]' }]],
  ['no part of an event', 'data: {"n":1}\n\ndata: {"n":', [{ data: '{"n":1}' }]],
  ['no part of a value', '{"n":1', []],
  ['the last event without an empty line', 'data: {"n":1}', [{ data: '{"n":1}' }]],
  ['nothing of other text', 'Bad gateway', []],
])('reads %s', (_, stream, expected) => {
  expect(read(stream)).toEqual(expected);
});

it.each([
  ['line', '', 'x'.repeat(1_000_000)],
  ['event', '', `data: ${'x'.repeat(1_000_000)}\n`],
  ['value', '{\n', `${' "x":1,'.repeat(100_000)}\n`],
])('gives up a %s that never ends', (_, start, piece) => {
  const events = new ServerEvents();
  events.take(start);
  expect(() => {
    for (let taken = 0; taken < 200; taken += 1) events.take(piece);
  }).toThrow('A part of the answer is longer than');
});
