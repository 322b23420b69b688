import { expect, it } from 'vitest';
import type { Outcome } from '../contract/outcome';
import { isLeftToPerson } from './left-to-person';

it.each([
  ['policy', false, true],
  ['all', false, false],
  ['none', false, false],
  ['all', true, true],
] as const)(
  'leaves approvals to a person with --approve %s after a keep failed (%s): %s',
  (approve, failed, left) => {
    const notKept = failed ? { notKept: { at: 1, code: 'ENOSPC' } } : {};
    const outcome = { manifest: 'm', ...notKept } as Outcome;
    expect(isLeftToPerson(approve, [{}, { outcome }])).toBe(left);
  },
);
