import { describe, expect, it } from 'vitest';
import { answerOf } from './hook-answer';

const exited = (answer: string, code: number | null = 0, errors = '') =>
  answerOf({ kind: 'exited', code, answer, errors }, 5);

describe('the answer of a hook', () => {
  it('is none if it prints nothing', () => {
    expect(exited(' \n')).toEqual({ denies: null, context: null });
  });

  it('denies by JSON, or by exit code 2 with its error output as the reason', () => {
    expect(exited('{"decision":"deny","reason":"not on Fridays"}')).toMatchObject({
      denies: 'not on Fridays',
    });
    expect(exited('{"decision":"deny"}')).toMatchObject({ denies: '' });
    expect(exited('whatever', 2, 'no')).toMatchObject({ denies: 'no' });
  });

  it('adds text to the result, at most 10,000 characters', () => {
    expect(exited('{"context":"formatted"}')).toEqual({ denies: null, context: 'formatted' });
    expect(exited(JSON.stringify({ context: 'x'.repeat(20_000) }))).toMatchObject({
      context: `${'x'.repeat(10_000)}…`,
    });
  });

  it.each([
    'done',
    '[1]',
    'null',
    '{"decision":"allow"}',
    '{"decision":"approve"}',
    '{"reason":1}',
    '{"context":{}}',
  ])('is an error, and allows nothing: %s', (answer) => {
    expect(exited(answer)).toEqual({ failure: { kind: 'garbage' } });
  });

  it('is an error for other exit codes, a deadline, and too much output', () => {
    expect(exited('{"context":"a"}', 1, 'oops')).toEqual({
      failure: { kind: 'exit', code: 1, errors: 'oops' },
    });
    expect(answerOf({ kind: 'timed_out' }, 5)).toEqual({ failure: { kind: 'timeout', seconds: 5 } });
    expect(answerOf({ kind: 'too_long' }, 5)).toEqual({ failure: { kind: 'too_long' } });
  });
});
