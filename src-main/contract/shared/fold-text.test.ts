import { expect, it } from 'vitest';
import { foldText } from './fold-text';

it('is the same for all cases of a letter', () => {
  for (const [one, other] of [
    ['İstanbul', 'istanbul'],
    ['I\u0307stanbul', 'istanbul'],
    ['ISPARTA', 'ısparta'],
    ['ΟΔΟΣ', 'οδος'],
    ['οδος', 'οδοσ'],
    ['STRAẞE', 'straße'],
    ['\u212aelvin', 'kelvin'],
    ['Cafe\u0301', 'CAFÉ'],
    ['Å', '\u212b'],
  ] as const)
    expect([one, foldText(one)]).toEqual([one, foldText(other)]);
});

it('keeps other letters apart', () => {
  expect(foldText('Café')).not.toBe(foldText('Cafe'));
  expect(foldText('straße')).not.toBe(foldText('strasse'));
});
