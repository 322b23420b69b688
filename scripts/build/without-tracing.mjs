import { fileURLToPath } from 'node:url';

const stub = fileURLToPath(new URL('./no-langsmith.mjs', import.meta.url));

/** The entries of the package that contain its client. */
const REPLACED = new Set(['langsmith', 'langsmith/run_trees']);

/**
 * A Vite plugin that keeps LangSmith's client out of @langchain/core, which uses it only for tracing. The app never traces
 * (DECISIONS.md), and the client is an eighth of the code that the first turn loads. Other code can still import the package.
 * @returns {import('vite').Plugin}
 */
export function withoutTracing() {
  return {
    name: 'without-tracing',
    enforce: 'pre',
    resolveId(source, importer) {
      const isCore = importer?.replaceAll('\\', '/').includes('/node_modules/@langchain/core/') === true;
      return isCore && REPLACED.has(source) ? stub : null;
    },
  };
}
