// npm run bench [-- group ...]: bundles bench/main.ts like the app's main process and runs it on this Node, so that it
// measures what ships.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, loadConfigFromFile } from 'vite';
import { withoutTracing } from './build/without-tracing.mjs';
import { root, run } from './process.mjs';
import { exitWith, foreground } from './runtime/foreground.mjs';
import { prepareNode } from './runtime/prepare.mjs';

/** Scripts depend on their location, and the package used for comparison runs as published. */
const outside = /** @type {import('vite').Plugin} */ ({
  name: 'outside',
  enforce: 'pre',
  async resolveId(source, importer, options) {
    if (!source.endsWith('.mjs') || importer === undefined) return null;
    const found = await this.resolve(source, importer, { ...options, skipSelf: true });
    return found?.id.startsWith(join(root, 'scripts') + sep)
      ? { id: pathToFileURL(found.id).href, external: true }
      : null;
  },
});

/** How the app's main process is built: its output, and its workers, which it starts by name. */
async function ofTheApp() {
  const loaded = await loadConfigFromFile(
    { command: 'build', mode: 'production' },
    join(root, 'electron.vite.config.ts'),
  );
  const config = /** @type {import('electron-vite').UserConfig} */ (loaded?.config ?? {});
  const main = /** @type {import('vite').UserConfig} */ (config.main ?? {});
  const { input, output = {} } = main.build?.rolldownOptions ?? {};
  const entries = typeof input === 'object' && !Array.isArray(input) ? input : {};
  const workers = Object.entries(entries).filter(([name]) => name !== 'index' && name !== 'cli');
  return { workers: Object.fromEntries(workers), output };
}

await exitWith(async () => {
  const env = await prepareNode();
  // Below node_modules, so that external packages resolve.
  const out = join(root, 'node_modules', '.cache', `deepdesk-bench-${process.pid}`);
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  try {
    const { workers, output } = await ofTheApp();
    await build({
      root,
      configFile: false,
      logLevel: 'error',
      plugins: [withoutTracing(), outside],
      resolve: { alias: { '@contract': join(root, 'src-main', 'contract') } },
      ssr: { noExternal: true, external: [...Object.keys(manifest.dependencies), 'deepagents'] },
      build: {
        ssr: true,
        target: 'node20.18',
        outDir: out,
        minify: false,
        rolldownOptions: {
          input: {
            main: join(root, 'bench', 'main.ts'),
            // The imports of the app's first turn, to time them.
            harness: join(root, 'src-main', 'host', 'turns', 'run', 'thread-agent.ts'),
            // The host of the soak test, a separate process.
            child: join(root, 'src-main', 'host', 'testing', 'child.ts'),
            ...workers,
          },
          output,
        },
      },
    });
    // Like the app's output, whose format Node reads in package.json. Here it would find out by parsing each file.
    writeFileSync(join(out, 'package.json'), '{ "type": "module" }\n');
    const commit = (await run('git', ['rev-parse', '--short=10', 'HEAD'])).stdout.trim();
    const args = [join(out, 'main.js'), '--root', root, '--commit', commit, ...process.argv.slice(2)];
    return await foreground(process.execPath, args, {
      env: /** @type {Record<string, string>} */ ({ ...process.env, ...env }),
      cwd: root,
    });
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
});
