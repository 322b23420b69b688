import { join } from 'node:path';
import { bundleOnce } from '../../../../base/testing/bundle';

let built: Promise<string> | null = null;

/** Builds the app's document worker once. */
export function builtDocumentWorker(): Promise<string> {
  built ??= buildWorker();
  return built;
}

async function buildWorker(): Promise<string> {
  const folder = await bundleOnce('document-worker', {
    build: {
      ssr: join(import.meta.dirname, '../document-worker.ts'),
      target: 'node20.18',
      rolldownOptions: { output: { format: 'es', entryFileNames: '[name].mjs' } },
    },
  });
  return join(folder, 'document-worker.mjs');
}
