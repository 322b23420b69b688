import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { PtyInput } from './pty-input';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A program whose terminal accepts `room` bytes. */
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
  it('is sent immediately to a program that reads', () => {
    const { state, input } = program(100);
    expect(input.push('abc')).toBe(true);
    expect(state.read).toBe('abc');
  });

  it('waits for space, in order, and loses nothing', () => {
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

  it('is rejected when a megabyte is pending', () => {
    const { input } = program(0);
    expect(input.push('x'.repeat(1024 * 1024))).toBe(true);
    expect(input.push('y')).toBe(false);
  });

  it('lets an interrupt overtake unread input', () => {
    const { state, input } = program(0);
    input.push('x'.repeat(1024 * 1024));
    expect(input.push('\x03')).toBe(true);
    state.room = 10;
    vi.advanceTimersByTime(10);
    expect(state.read).toBe('\x03');
  });

  it('is dropped when the program has exited', () => {
    const { state, input } = program(1);
    input.push('ab');
    state.gone = true;
    vi.advanceTimersByTime(10);
    expect(input.push('c')).toBe(true);
    expect([state.read, vi.getTimerCount()]).toEqual(['a', 0]);
  });
});
