import { expect, it } from 'vitest';
import { rangeOf } from './video-scheme';

it.each([
  ['bytes=0-', { from: 0, to: 9 }],
  ['bytes=2-5', { from: 2, to: 5 }],
  ['bytes=2-500', { from: 2, to: 9 }],
  ['bytes=-3', { from: 7, to: 9 }],
  ['bytes=-30', { from: 0, to: 9 }],
  ['bytes=10-', null],
  ['bytes=5-2', null],
  ['bytes=-0', null],
  ['bytes=-', null],
  ['bytes=0-1,4-5', null],
  [null, null],
])('the range %s of ten bytes of a video', (header, part) => {
  expect(rangeOf(header, 10)).toEqual(part);
});
