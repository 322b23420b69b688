import { join, resolve } from 'node:path';
import { build } from 'vite';

const SOURCES = resolve(import.meta.dirname, '../..');

/**
 * Bundles the host for `ChildHost` like the app, into a folder that finds the native packages. `more`: other programs by
 * name, which share its code.
 */
export async function bundleHost(outDir: string, more: Record<string, string> = {}): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'silent',
    resolve: { alias: { '@contract': join(SOURCES, 'contract') } },
    ssr: { noExternal: true, external: ['better-sqlite3', 'node-pty', '@vscode/ripgrep'] },
    build: {
      ssr: true,
      outDir,
      target: 'node20.18',
      minify: false,
      rolldownOptions: {
        input: {
          child: join(SOURCES, 'host/testing/child.ts'),
          'search-worker': join(SOURCES, 'harness/backends/search/search-worker.ts'),
          'log-worker': join(SOURCES, 'storage/database/log-worker.ts'),
          ...more,
        },
        output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
      },
    },
  });
}
