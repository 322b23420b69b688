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

it('draws at once where nobody types', () => {
  draw('words');
  expect(drawn).toEqual(['words']);
});

it('waits until the character of a key was drawn', () => {
  press();
  draw('words');
  expect(drawn).toEqual([]);
  vi.advanceTimersToNextFrame();
  vi.advanceTimersByTime(1);
  expect(drawn).toEqual(['words']);
});

it('draws at once right behind a character, since the next key takes its time', () => {
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

it('waits no longer than it may for a key that does not come, and draws once', () => {
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

it('draws nothing that was undone', () => {
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
