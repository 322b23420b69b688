// Vitest runs this before each file of unit tests.
import fc from 'fast-check';
import { vi } from 'vitest';

// The same inputs each time, so that a change is judged by what it changed; DEEPDESK_SEED=$RANDOM looks further.
fc.configureGlobal({ seed: Number(process.env.DEEPDESK_SEED ?? 20_261_122) });

/** Milliseconds that a test waits for what comes by itself: no expectation, a machine may stand still for seconds. */
const WITHIN = 10_000;
const waitFor = vi.waitFor;
vi.waitFor = (check, options = WITHIN) => waitFor(check, options);

if ('document' in globalThis) {
  const { configure } = await import('@testing-library/react');
  configure({ asyncUtilTimeout: WITHIN });
}
