// Vitest runs this before each unit test file. Most files share a process, so changes to globals are reset here.
import fc from 'fast-check';
import { afterAll, afterEach, expect, vi } from 'vitest';
import { runCleanups } from '../../src-main/base/testing/cleanups';
import { WITHIN } from './waiting';

// The same inputs each time, so that results depend on the code alone. DEEPDESK_SEED=$RANDOM explores more.
fc.configureGlobal({ seed: Number(process.env.DEEPDESK_SEED ?? 20_261_122) });

/** Layers, copies and crashes depend on the kind of the disk, so their tests use the real one. */
const NEEDS_DISK =
  /\/(sandbox|changes|faults)\/|(crash|kills|soak|shared-store)\.slow\.test\.ts$|\.servers\.test\.ts$/;
const { DEEPDESK_UNIT_DISK: disk, DEEPDESK_UNIT_MEMORY: memory } = process.env;
const place = NEEDS_DISK.test(expect.getState().testPath ?? '') ? disk : memory;
if (place !== undefined) Object.assign(process.env, { TMPDIR: place, TMP: place, TEMP: place });

const PATIENT = Symbol.for('deepdesk.patient');
if (!(PATIENT in vi.waitFor)) {
  const { waitFor } = vi;
  const patient: typeof waitFor = (check, options = WITHIN) => waitFor(check, options);
  vi.waitFor = Object.assign(patient, { [PATIENT]: true });
}

const { fetch } = globalThis;
const { env } = process;

afterEach(runCleanups);

afterAll(() => {
  // A host guards the global one for everything in its process.
  globalThis.fetch = fetch;
  // The system would not see what later files set in a copy of it.
  process.env = env;
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});
