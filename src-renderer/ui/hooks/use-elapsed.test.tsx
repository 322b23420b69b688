import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useElapsed } from './use-elapsed';

const HOUR = 3_600_000;
const Seconds = ({ since, counts }: { since: number | undefined; counts?: boolean }) => (
  <output>{Math.floor(useElapsed(since, counts) / 1_000)}</output>
);
const shown = () => Number(screen.getByRole('status').textContent);
const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms));

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

it('counts the seconds since a time', () => {
  render(<Seconds since={Date.now() - 4_000} />);
  expect(shown()).toBe(4);
  pass(3_000);
  expect(shown()).toBe(7);
});

it('continues when the clock is set back an hour', () => {
  render(<Seconds since={Date.now()} />);
  pass(5_000);
  vi.setSystemTime(Date.now() - HOUR);
  pass(2_000);
  expect(shown()).toBe(7);
});

it('starts at zero for a time that is in the future by this clock', () => {
  render(<Seconds since={Date.now() + HOUR} />);
  expect(shown()).toBe(0);
  pass(2_000);
  expect(shown()).toBe(2);
});

it('includes the time the computer slept', () => {
  render(<Seconds since={Date.now()} />);
  vi.setSystemTime(Date.now() + HOUR);
  pass(1_000);
  expect(shown()).toBe(3_601);
});

it('is zero without a time', () => {
  render(<Seconds since={undefined} />);
  pass(2_000);
  expect(shown()).toBe(0);
});
