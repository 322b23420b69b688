import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import type { Plugin } from 'vite';
import { bundledPackages, packagesOfWorkers } from './scripts/build/bundled-packages.mjs';
import { chunkGroups } from './scripts/build/chunk-groups.mjs';
import { onlyWoff2 } from './scripts/build/only-woff2.mjs';
import { withoutTracing } from './scripts/build/without-tracing.mjs';

const at = (path: string) => resolve(import.meta.dirname, path);
// scripts/build/app.mjs builds beside out/ and swaps the two when all is well.
const out = (process: string) => resolve(at(globalThis.process.env.DEEPDESK_OUT ?? 'out'), process);
const manifest = JSON.parse(readFileSync(at('package.json'), 'utf8')) as {
  devDependencies: { electron: string };
};
const { updates, updateKey } = JSON.parse(readFileSync(at('project.json'), 'utf8')) as {
  updates: string;
  updateKey: string;
};
const alias = { '@contract': at('src-main/contract') };

// One bundle must run on the electron package's own download and on the older fallback runtime (scripts/runtime),
// so the targets are the older one's, not what electron-vite derives from the installed package.
const NODE_TARGET = 'node20.18';
const CHROME_TARGET = 'chrome130';

/** The page's own script (src-renderer/main.tsx) begins the app after its first frame; until then the app is fetched. */
const fetchAhead = {
  name: 'fetch-ahead',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle = {}, path }) => {
      if (!path.endsWith('index.html')) return [];
      const wanted = new Set(
        Object.values(bundle)
          .filter((one) => one.type === 'chunk' && one.facadeModuleId === at('src-renderer/page.tsx'))
          .map(({ fileName }) => fileName),
      );
      for (const name of wanted) {
        const chunk = bundle[name];
        if (chunk?.type === 'chunk') for (const other of chunk.imports) wanted.add(other);
      }
      return [...wanted].map((name) => ({
        tag: 'link',
        attrs: { rel: 'modulepreload', crossorigin: true, href: `./${name}` },
        injectTo: 'head',
      }));
    },
  },
} satisfies Plugin;

const mainEntries = {
  index: at('src-main/index.ts'),
  // Searches files where ripgrep cannot be started; found beside the program by its name.
  'search-worker': at('src-main/harness/backends/search/search-worker.ts'),
  // Keeps earlier contents of files; found in the same way.
  'changes-worker': at('src-main/changes/changes-worker.ts'),
  // Copies, tests and measures the data; found in the same way.
  'data-worker': at('src-main/storage/data-jobs/data-worker.ts'),
  // Writes the log of the database back into it; found in the same way.
  'log-worker': at('src-main/storage/database/log-worker.ts'),
  // Finds files by their names; found in the same way.
  'scout-worker': at('src-main/workspace/scout-worker.ts'),
  // Extracts the text of documents; found in the same way.
  'document-worker': at('src-main/harness/agent/media/document-worker.ts'),
  // Converts web pages to Markdown; found in the same way.
  'page-worker': at('src-main/harness/tools/web/page-worker.ts'),
  cli: at('src-main/cli/index.ts'),
};

const { index, ...others } = mainEntries;
const ofRuns = (...names: string[]) => names.map((name) => at(`src-main/host/turns/run/${name}.ts`));

/** The modules that are imported at one time: by the first frame, after it, ahead of the first message, and by each other program. */
const importedTogether = {
  start: [index],
  host: [at('src-main/host/host.ts'), at('src-main/host/settings/pending-data.ts')],
  agent: ofRuns('thread-agent'),
  run: ofRuns('load-run-modules', 'prepare-next-run', 'prepare-run', 'knowledge'),
  ...Object.fromEntries(Object.entries(others).map(([name, entry]) => [name, [entry]])),
};

/** Packages that workers of the page hold. */
const inWorkers = new Set<string>();

export default defineConfig({
  main: {
    plugins: [withoutTracing(), bundledPackages()],
    resolve: { alias },
    define: {
      __ELECTRON__: JSON.stringify(manifest.devDependencies.electron),
      __UPDATES__: JSON.stringify({ feed: `${updates}/`, key: updateKey }),
    },
    build: {
      target: NODE_TARGET,
      outDir: out('main'),
      sourcemap: true,
      // `dependencies` of package.json (native packages) stay outside the bundle; everything else goes in.
      externalizeDeps: true,
      rolldownOptions: {
        input: mainEntries,
        output: {
          format: 'es',
          entryFileNames: '[name].js',
          chunkFileNames: 'chunks/[name]-[hash].js',
          codeSplitting: chunkGroups(importedTogether),
          // Without comments, layout and long names inside functions, which take a start as long to read as code. Statements and
          // the names of functions and classes stay, for errors and their traces.
          minify: { compress: false, mangle: { toplevel: false, keepNames: true } },
        },
      },
    },
  },
  preload: {
    plugins: [bundledPackages()],
    build: {
      target: NODE_TARGET,
      outDir: out('preload'),
      // A sandboxed preload can require nothing but electron, so all of it is one CommonJS file.
      externalizeDeps: false,
      rolldownOptions: {
        input: { preload: at('src-main/preload.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: at('src-renderer'),
    resolve: { alias },
    plugins: [onlyWoff2(), react(), tailwindcss(), fetchAhead, bundledPackages(inWorkers)],
    // A worker loads grammars as they are needed, too.
    worker: { format: 'es', plugins: () => [packagesOfWorkers(inWorkers)] },
    build: {
      target: CHROME_TARGET,
      outDir: out('renderer'),
      minify: true,
      // The page may load fonts from its own files only (font-src 'self'), so none becomes a data: address.
      assetsInlineLimit: 0,
      rolldownOptions: {
        // The second draws diagrams in a hidden view.
        input: { index: at('src-renderer/index.html'), diagram: at('src-renderer/diagram.html') },
      },
    },
  },
});
