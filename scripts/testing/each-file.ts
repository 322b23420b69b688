// Vitest runs this before each file of unit tests. Most files share a process, so what a file changes is put back here.
import fc from 'fast-check';
import { afterAll, afterEach, vi } from 'vitest';
import { runCleanups } from '../../src-main/base/testing/cleanups';

// The same inputs each time, so that a change is judged by what it changed; DEEPDESK_SEED=$RANDOM looks further.
fc.configureGlobal({ seed: Number(process.env.DEEPDESK_SEED ?? 20_261_122) });

/** Milliseconds that a test waits for what comes by itself: no expectation, a machine may stand still for seconds. */
const WITHIN = 10_000;
const PATIENT = Symbol.for('deepdesk.patient');
if (!(PATIENT in vi.waitFor)) {
  const { waitFor } = vi;
  const patient: typeof waitFor = (check, options = WITHIN) => waitFor(check, options);
  vi.waitFor = Object.assign(patient, { [PATIENT]: true });
}

const { fetch } = globalThis;

afterEach(runCleanups);

afterAll(() => {
  // A host guards the global one for all that runs in its process.
  globalThis.fetch = fetch;
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

if ('document' in globalThis) {
  const { configure } = await import('@testing-library/react');
  configure({ asyncUtilTimeout: WITHIN });
}
