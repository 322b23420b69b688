import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { readRegular } from '../../base/open-regular';
import { isRefused } from '../../base/regular-file';
import { fail, ok, type Result } from '../../contract/result';
import { StoreBackend, scrubEnv } from '../../harness/backends';
import { ModuleError, ModuleProcess } from './module-process';
import { ModuleStore } from './module-store';
import type { PlaceKindModule } from './place-kind';

/** Milliseconds for one call on a module. */
const CALL_LIMIT = 12_000;
/** Bytes of a module, which the person has to read. */
const MAX_MODULE = 200_000;

/** Where a project has its module. */
export const moduleOf = (folder: string): string => join(folder, '.deepdesk', 'places.mjs');

export interface ModuleContent {
  /** SHA-256 of its bytes. */
  hash: string;
  bytes: Buffer;
}

/** Reads a module, and runs nothing. */
export async function readModule(file: string): Promise<Result<ModuleContent>> {
  const bytes = await readRegular(file, { root: dirname(dirname(file)), maxBytes: MAX_MODULE });
  if (!isRefused(bytes)) return ok({ hash: sha256(bytes), bytes });
  return bytes.refused === 'too_large'
    ? fail('too_large', 'place_module_large', { file })
    : fail('not_found', 'place_module_gone', { file }, bytes.code);
}

const sha256 = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex');

/**
 * The files that a module of a project gives. It runs in a process of its own, without keys, and confined as the project's
 * commands are, and only with the content that the person allowed.
 */
export const modulePlace: PlaceKindModule<'module'> = {
  connect: async ({ file, hash }, { env, confine, signal }) => {
    const found = await readModule(file);
    if (!found.ok) return found;
    if (found.value.hash !== hash) return fail('denied', 'place_module_changed', { file });
    const own = scrubEnv(env);
    const node = await findNode(own.PATH ?? '');
    if (node === null) return fail('unsupported', 'place_module_no_node');
    const cwd = dirname(dirname(file));
    const entered = (await (await confine(cwd))?.enter({ cwd })) ?? null;
    const module = new ModuleProcess({ node, cwd, env: own, entered, callLimit: CALL_LIMIT });
    const stop = () => void module.close();
    signal.addEventListener('abort', stop, { once: true });
    try {
      const functions = await module.call('load', found.value.bytes.toString('base64'));
      if (!Array.isArray(functions) || !functions.includes('list') || !functions.includes('read')) {
        stop();
        return fail('unsupported', 'place_module_shape', { file });
      }
      const store = new ModuleStore(module, functions);
      return ok({
        backend: new StoreBackend({ store, namespace: ['module', sha256(file)] }),
        check: async () =>
          module.ended === null ? ok({}) : fail('network', 'place_module_ended', {}, module.ended),
        close: () => module.close(),
      });
    } catch (thrown) {
      stop();
      if (thrown instanceof ModuleError)
        return fail('unsupported', 'place_module_failed', { file }, thrown.message);
      throw thrown;
    } finally {
      signal.removeEventListener('abort', stop);
    }
  },
};

/** Node as commands find it: the app's own program cannot run modules once it is packaged. */
async function findNode(path: string): Promise<string | null> {
  for (const folder of path.split(delimiter)) {
    if (!isAbsolute(folder)) continue;
    const file = join(folder, process.platform === 'win32' ? 'node.exe' : 'node');
    const isProgram = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isProgram) return file;
  }
  return null;
}
