import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { betweenKeys } from './typing';

const PATIENCE = 45;
let drawn: string[];

beforeAll(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'requestAnimationFrame'] });
});
beforeEach(() => {
  vi.advanceTimersByTime(10_000);
  drawn = [];
});
afterAll(() => {
  vi.useRealTimers();
});

const draw = (what: string) => betweenKeys(() => drawn.push(what), PATIENCE);
const press = () => window.dispatchEvent(new KeyboardEvent('keydown', { key: 'a' }));

it('renders immediately if nobody types', () => {
  draw('words');
  expect(drawn).toEqual(['words']);
});

it('waits until the typed character is rendered', () => {
  press();
  draw('words');
  expect(drawn).toEqual([]);
  vi.advanceTimersToNextFrame();
  vi.advanceTimersByTime(1);
  expect(drawn).toEqual(['words']);
});

it('renders immediately after a character, since the next key takes some time', () => {
  press();
  vi.advanceTimersByTime(20);
  draw('words');
  expect(drawn).toEqual(['words']);
});

it('waits for the next key of somebody who types, and for its character', () => {
  press();
  vi.advanceTimersByTime(60);
  draw('words');
  expect(drawn).toEqual([]);
  vi.advanceTimersByTime(20);
  press();
  expect(drawn).toEqual([]);
  vi.advanceTimersByTime(20);
  expect(drawn).toEqual(['words']);
});

it('waits for a missing key no longer than allowed, and renders once', () => {
  press();
  vi.advanceTimersByTime(60);
  draw('words');
  vi.advanceTimersByTime(PATIENCE - 1);
  expect(drawn).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(drawn).toEqual(['words']);
  press();
  vi.advanceTimersByTime(1_000);
  expect(drawn).toEqual(['words']);
});

it('renders nothing after an undo', () => {
  press();
  vi.advanceTimersByTime(60);
  const undo = draw('words');
  undo();
  press();
  vi.advanceTimersByTime(1_000);
  expect(drawn).toEqual([]);
});

it('stops waiting once the user has stopped typing', () => {
  press();
  vi.advanceTimersByTime(500);
  draw('words');
  expect(drawn).toEqual(['words']);
});
