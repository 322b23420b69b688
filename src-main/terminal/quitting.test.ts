import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { bundle as bundleProgram } from '../base/testing/bundle';
import { alive, uniqueSleep } from './testing/processes';

/** Inside node_modules, so that the bundle finds node-pty. */
const bundle = join(import.meta.dirname, `../../node_modules/.cache/deepdesk-quitting-${process.pid}`);

beforeAll(async () => {
  await bundleProgram({
    build: { ssr: join(import.meta.dirname, 'testing/child.ts'), outDir: bundle, target: 'node20' },
    ssr: { noExternal: true, external: ['node-pty'] },
  });
}, 60_000);
afterAll(() => rmSync(bundle, { recursive: true, force: true }));

describe('a process that quits while commands run', () => {
  it.each([
    ['having ended its terminals', 'dispose'],
    ['at once', 'exit'],
    ['over an error that nobody caught', 'throw'],
  ])('leaves no command running, %s, within 3 seconds', async (_name, way) => {
    const sleep = uniqueSleep();
    const child = spawn(process.execPath, [join(bundle, 'child.js'), way, sleep], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    await once(child.stdout, 'data');
    await vi.waitFor(() => expect(alive(sleep)).toHaveLength(5), { timeout: 10_000, interval: 20 });
    const began = performance.now();
    child.kill('SIGTERM');
    await once(child, 'exit');
    expect(performance.now() - began).toBeLessThan(3_000);
    // Processes killed in the last moment may not have exited yet.
    await vi.waitFor(() => expect(alive(sleep)).toEqual([]), { timeout: 10_000, interval: 10 });
  });
});
