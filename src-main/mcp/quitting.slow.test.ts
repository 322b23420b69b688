import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { alive, TRIAL } from './testing/place';

// Programs start slowly on test machines.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
const soon = <T>(check: () => T | Promise<T>) => vi.waitFor(check, { timeout: 20_000, interval: 20 });

const bundle = join(import.meta.dirname, `../../node_modules/.cache/deepdesk-mcp-quitting-${process.pid}`);

beforeAll(async () => {
  await build({
    configFile: false,
    logLevel: 'silent',
    build: { ssr: join(import.meta.dirname, 'testing/child.ts'), outDir: bundle, target: 'node20' },
    ssr: { noExternal: true },
  });
});
afterAll(() => rmSync(bundle, { recursive: true, force: true }));

describe('a process that quits while a server runs', () => {
  it.each([
    ['having ended it', 'retire', 'SIGTERM'],
    ['at once', 'exit', 'SIGTERM'],
    ['by being killed', 'none', 'SIGKILL'],
  ] as const)(
    'leaves neither the server nor its child processes, %s',
    async (_name, way, signal) => {
      // Only in the arguments of the program that the server starts, so it identifies that process.
      const seconds = `60.${Math.floor(Math.random() * 1e9)}`;
      const child = spawn(process.execPath, [join(bundle, 'child.js'), way, TRIAL, seconds], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await once(child.stdout, 'data');
      await soon(() => expect(alive(`sleep ${seconds}`).length).toBeGreaterThan(0));
      child.kill(signal);
      await once(child, 'exit');
      // After a kill, the watch gives the server two seconds and then two more.
      await soon(() => expect(alive(seconds)).toEqual([]));
    },
    30_000,
  );
});
