import { expect } from 'vitest';
import type { ReasonCode } from '../shared/reasons';

/** Matches reasons that include that code. */
export const withCode = (code: ReasonCode): unknown =>
  expect.arrayContaining([expect.objectContaining({ code })]);
