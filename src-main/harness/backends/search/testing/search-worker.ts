import { join } from 'node:path';
import { bundleOnce } from '../../../../base/testing/bundle';
import { setSearchEngine } from '../search';

let built: Promise<string> | null = null;

/** The app's search worker, built once. */
export function builtSearchWorker(): Promise<string> {
  built ??= buildWorker();
  return built;
}

async function buildWorker(): Promise<string> {
  const folder = await bundleOnce('search-worker', {
    build: {
      ssr: join(import.meta.dirname, '../search-worker.ts'),
      target: 'node20.18',
      rolldownOptions: { output: { format: 'es', entryFileNames: '[name].mjs' } },
    },
  });
  return join(folder, 'search-worker.mjs');
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
