import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleHost } from '../testing/bundle-host';
import { growthOf, soak } from '../testing/soak';
import { findingsOf, plannedFor } from '../testing/soak-findings';

/** `npm run soak` runs the whole length, this test a part; the same seed gives the same run, apart from timing. */
const STEPS = Number(process.env.DEEPDESK_SOAK_STEPS ?? 200);
const KILLS = Number(process.env.DEEPDESK_SOAK_KILLS ?? 3);
const SEED = Number(process.env.DEEPDESK_SOAK_SEED ?? 20_261_121);
/** Tokens. */
const WINDOW = 8_000;
/** Maximum number of steps that fill the context window once. */
const FILLED_WITHIN = 40;

/** Inside node_modules, so that the bundle finds the native packages. */
const bundle = join(import.meta.dirname, `../../../node_modules/.cache/deepdesk-soak-${process.pid}`);
const place = realpathSync(mkdtempSync(join(tmpdir(), 'deepdesk-soak-')));

beforeAll(() => bundleHost(bundle), 120_000);
afterAll(() => {
  rmSync(bundle, { recursive: true, force: true });
  rmSync(place, { recursive: true, force: true });
});

describe(`a thread of ${STEPS} steps in a window of ${WINDOW} tokens, killed ${KILLS} times (seed ${SEED})`, () => {
  it('is complete at the end, was never sent whole, and grew evenly', async ({ annotate }) => {
    const result = await soak({ bundle, place, steps: STEPS, kills: KILLS, seed: SEED, window: WINDOW });
    const { model, kills, sizes, reports, approvals, took } = result;
    const { compactions, ...found } = await findingsOf(result);
    const growth = growthOf(sizes);
    const { largest, answers } = model;
    await annotate(JSON.stringify({ took, kills, approvals, compactions, answers, largest, growth, sizes }));
    expect(model.violations).toEqual([]);
    expect(found).toEqual(plannedFor(result));
    expect(reports).toEqual([]);
    expect(kills.length).toBe(KILLS);
    expect(compactions).toBeGreaterThan(STEPS / FILLED_WITHIN);
    expect(growth).toBeLessThan(1.25);
  }, 3_600_000);
});
