import { expect } from 'vitest';
import type { ReasonCode } from '../shared/reasons';

/** Reasons among which one has that code. */
export const withCode = (code: ReasonCode): unknown =>
  expect.arrayContaining([expect.objectContaining({ code })]);
