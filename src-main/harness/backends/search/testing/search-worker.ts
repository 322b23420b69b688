import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import { setSearchEngine } from '../search';

let built: Promise<string> | null = null;

/** The app's search worker, built once for the tests of a file. */
export function builtSearchWorker(): Promise<string> {
  built ??= buildWorker();
  return built;
}

async function buildWorker(): Promise<string> {
  const outDir = await mkdtemp(join(tmpdir(), 'deepdesk-search-worker-'));
  process.once('exit', () => rmSync(outDir, { recursive: true, force: true }));
  await build({
    configFile: false,
    logLevel: 'error',
    build: {
      ssr: join(import.meta.dirname, '../search-worker.ts'),
      target: 'node20.18',
      outDir,
      rolldownOptions: { output: { format: 'es', entryFileNames: '[name].mjs' } },
    },
  });
  return join(outDir, 'search-worker.mjs');
}

/** Runs `use` while ripgrep, or the worker, searches files. */
export async function searchingWith<T>(engine: 'ripgrep' | 'worker', use: () => Promise<T>): Promise<T> {
  const workerFile = await builtSearchWorker();
  await setSearchEngine(engine === 'worker' ? { engine, workerFile } : { engine: 'auto', workerFile });
  try {
    return await use();
  } finally {
    await setSearchEngine({ engine: 'auto' });
  }
}
