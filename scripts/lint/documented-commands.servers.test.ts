import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../process.mjs';
import { PROOFS } from './documented-commands.mjs';

/** Milliseconds for one command on a busy machine. */
const WITHIN = 300_000;

const lines = new Set(Object.values(PROOFS).flatMap((proof) => ('run' in proof ? [proof.run] : [])));

describe('a command of the documents', () => {
  let home = '';
  beforeAll(() => {
    home = mkdtempSync(join(tmpdir(), 'deepdesk-documented-'));
  });
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  it.each([...lines])(
    'runs: %s',
    async (line) => {
      // A test of Vitest must not look like one to the Vitest that a command starts.
      const { VITEST: _, VITEST_WORKER_ID: __, VITEST_POOL_ID: ___, ...env } = process.env;
      const { code, output } = await run('bash', ['--norc', '-c', line], { env: { ...env, HOME: home } });
      expect(code, output.slice(-4_000)).toBe(0);
    },
    WITHIN,
  );
});
