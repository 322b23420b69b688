import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PtyInput } from './pty-input';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A program whose terminal has room for so many bytes. */
function program(room: number) {
  const state = { room, read: '', gone: false };
  const input = new PtyInput((data) => {
    if (state.gone) throw Object.assign(new Error('write EIO'), { code: 'EIO' });
    const taken = Math.min(state.room, data.length);
    state.room -= taken;
    state.read += data.subarray(0, taken).toString('latin1');
    return taken;
  });
  return { state, input };
}

describe('input', () => {
  it('goes to a program that reads at once', () => {
    const { state, input } = program(100);
    expect(input.push('abc')).toBe(true);
    expect(state.read).toBe('abc');
  });

  it('waits for room, in order, and loses nothing', () => {
    const { state, input } = program(2);
    expect([input.push('abc'), input.push('de')]).toEqual([true, true]);
    expect(state.read).toBe('ab');
    state.room = 2;
    vi.advanceTimersByTime(10);
    expect(state.read).toBe('abcd');
    state.room = 9;
    vi.advanceTimersByTime(10);
    expect(state.read).toBe('abcde');
  });

  it('is refused where a megabyte waits', () => {
    const { input } = program(0);
    expect(input.push('x'.repeat(1024 * 1024))).toBe(true);
    expect(input.push('y')).toBe(false);
  });

  it('lets an interruption overtake what was not read', () => {
    const { state, input } = program(0);
    input.push('x'.repeat(1024 * 1024));
    expect(input.push('\x03')).toBe(true);
    state.room = 10;
    vi.advanceTimersByTime(10);
    expect(state.read).toBe('\x03');
  });

  it('goes nowhere when the program is gone', () => {
    const { state, input } = program(1);
    input.push('ab');
    state.gone = true;
    vi.advanceTimersByTime(10);
    expect(input.push('c')).toBe(true);
    expect([state.read, vi.getTimerCount()]).toEqual(['a', 0]);
  });
});
