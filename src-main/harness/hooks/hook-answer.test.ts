import { describe, expect, it } from 'vitest';
import { answerOf } from './hook-answer';

const before = { event: 'before_tool', timeoutSeconds: 5 } as const;
const exited = (answer: string, code: number | null = 0, errors = '') =>
  answerOf({ kind: 'exited', code, answer, errors }, before);

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

  it.each(['after_tool', 'turn_end'] as const)(
    'is an error for exit code 2 of %s, which can deny nothing',
    (event) => {
      const exit = { kind: 'exited', code: 2, answer: '', errors: 'syntax error' } as const;
      expect(answerOf(exit, { event, timeoutSeconds: 5 })).toEqual({
        failure: { kind: 'exit', code: 2, errors: 'syntax error' },
      });
    },
  );

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
    expect(answerOf({ kind: 'timed_out' }, before)).toEqual({ failure: { kind: 'timeout', seconds: 5 } });
    expect(answerOf({ kind: 'too_long' }, before)).toEqual({ failure: { kind: 'too_long' } });
  });
});
