import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';

let built: Promise<string> | null = null;

/** Builds the app's document worker once for the tests of a file. */
export function builtDocumentWorker(): Promise<string> {
  built ??= buildWorker();
  return built;
}

async function buildWorker(): Promise<string> {
  const outDir = await mkdtemp(join(tmpdir(), 'deepdesk-document-worker-'));
  process.once('exit', () => rmSync(outDir, { recursive: true, force: true }));
  await build({
    configFile: false,
    logLevel: 'error',
    build: {
      ssr: join(import.meta.dirname, '../document-worker.ts'),
      target: 'node20.18',
      outDir,
      rolldownOptions: { output: { format: 'es', entryFileNames: '[name].mjs' } },
    },
    ssr: { noExternal: true },
  });
  return join(outDir, 'document-worker.mjs');
}
