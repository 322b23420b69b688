import { expect, it } from 'vitest';
import { Recorder } from './recorder';

/** What a recorder that keeps everything in one string would contain. */
function pushed(recorder: Recorder, pieces: readonly string[]): string {
  for (const piece of pieces) recorder.push(piece);
  return pieces.join('');
}

it('keeps everything while there is space', () => {
  const recorder = new Recorder(100_000);
  const all = pushed(
    recorder,
    Array.from({ length: 900 }, (_, i) => `line ${i} ✓ 😀 of many\r\n`),
  );
  expect([recorder.snapshot(), recorder.end]).toEqual([{ offset: 0, data: all }, all.length]);
});

it('keeps the end, starting at a line, no matter where the pieces were cut', () => {
  const recorder = new Recorder(1_000);
  const pieces = Array.from(
    { length: 997 },
    (_, i) => `${i}`.repeat((i * 7) % 90) + (i % 3 === 0 ? '\n' : ''),
  );
  const all = pushed(recorder, pieces);
  const last = all.slice(-1_000);
  const data = last.slice(last.indexOf('\n') + 1);
  expect([recorder.snapshot(), recorder.end]).toEqual([
    { offset: all.length - data.length, data },
    all.length,
  ]);
});

it('keeps the end of a piece that is longer than its capacity', () => {
  const recorder = new Recorder(10);
  const all = pushed(recorder, ['before', `${'x'.repeat(50)}\nthe end`, '!']);
  expect(recorder.snapshot()).toEqual({ offset: all.length - 8, data: 'the end!' });
});

it('does not start in the middle of a character', () => {
  const recorder = new Recorder(5);
  pushed(recorder, ['a😀😀😀']);
  expect(recorder.snapshot()).toEqual({ offset: 3, data: '😀😀' });
});
