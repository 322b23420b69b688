import { expect, it } from 'vitest';
import { pastedKey, unsendable } from './pasted-key';

it.each([
  ['sk-1', 'sk-1'],
  ['  sk-1\n', 'sk-1'],
  ['\u200bsk-\u200d1\ufeff', 'sk-1'],
  ['"sk-1"', 'sk-1'],
  ["' sk-1 '\u200b", 'sk-1'],
  ['sk-"1"', 'sk-"1"'],
  ['two words', 'two words'],
  ['""', ''],
])('reads %j as the key %j', (pasted, key) => {
  expect(pastedKey(pasted)).toBe(key);
});

it('finds the first character that cannot be sent', () => {
  expect(['sk-1', 'sk-1…2', 'sk-ключ'].map(unsendable)).toEqual([null, '…', 'к']);
});
