import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bundleOnce } from '../../../../base/testing/bundle';

let built: Promise<string> | null = null;

/** Bundles the backend into one plain JavaScript file for child processes. */
async function backendFile(): Promise<string> {
  const folder = await bundleOnce('filesystem', {
    build: {
      ssr: join(import.meta.dirname, '../../filesystem.ts'),
      rollupOptions: { output: { entryFileNames: 'filesystem.mjs' } },
    },
  });
  return join(folder, 'filesystem.mjs');
}

/** Prepares what `inChild` needs, so that it does not count toward a case's time. */
export async function prepareChildren(): Promise<void> {
  built ??= backendFile();
  await built;
}

/**
 * Runs a script in a separate process, with `FilesystemBackend` and `root` in scope, and returns its answer. `mount`: a
 * shell command to run first, in a mount namespace that ends with the process. It can use `$ROOT`. Null if the machine does
 * not allow such a namespace, or a mount in it.
 */
export async function inChild<T>(root: string, script: string, mount?: string): Promise<T | null> {
  built ??= backendFile();
  const folder = mkdtempSync(join(tmpdir(), 'deepdesk-child-'));
  const file = join(folder, 'script.mjs');
  const source = [
    `import { FilesystemBackend } from ${JSON.stringify(await built)};`,
    `const root = ${JSON.stringify(root)};`,
    `const answer = await (async () => {${script}})();`,
    'process.stdout.write(JSON.stringify(answer));',
  ];
  writeFileSync(file, source.join('\n'));
  const node = [process.execPath, '--no-warnings', file];
  try {
    const [command = '', ...args] =
      mount === undefined
        ? node
        : ['unshare', '-m', 'sh', '-c', `(${mount}) || exit 77; exec "$@"`, 'sh', ...node];
    const env = { ...process.env, ROOT: root };
    const { stdout } = await promisify(execFile)(command, args, { env, maxBuffer: 64 * 1024 * 1024 });
    return JSON.parse(stdout) as T;
  } catch (thrown) {
    if (mount !== undefined && cannotMount(thrown)) return null;
    throw thrown;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** There is no such program, `unshare` itself was refused (1), or the mount was (77). */
function cannotMount(thrown: unknown): boolean {
  if (!(thrown instanceof Error) || !('code' in thrown)) return false;
  const refused = 'stderr' in thrown && /unshare/.test(String(thrown.stderr));
  return thrown.code === 'ENOENT' || thrown.code === 77 || refused;
}
