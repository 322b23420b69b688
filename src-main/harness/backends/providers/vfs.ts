import { compileGlob } from '../../../base/globs/glob';
import { CompositeBackend } from '../composite';
import { type Failure, failure, isFailure } from '../failure';
import { asDirectory, checkPath } from '../paths';
import { ScreenedBackend } from '../policy/policy-screen';
import {
  type BackendProtocol,
  type CallOptions,
  type FileData,
  fileDataReducer,
  type GlobResult,
} from '../protocol';
import { StateBackend } from '../state';
import { bytesOf } from '../text/content';

/** Options of a file tree in memory. */
export interface VfsOptions {
  /** Where the files are in the tree. Default `/vfs`. */
  mountPath?: string;
  /** By path, with or without the mount. */
  initialFiles?: Record<string, string | Uint8Array>;
}

const MAX_PATTERN = 512;
const MAX_SEGMENTS = 64;
const MAX_ANY_DEPTH = 16;

/** A file tree in memory. */
export interface Vfs {
  backend: BackendProtocol;
  /** Forgets the files. Later calls have kind `unsupported`. */
  close(): void;
}

/**
 * Files in memory below a mount, without commands, gone when they are closed or the process exits. Nothing exists, or can be
 * created, outside the mount. Patterns are limited to 512 characters, 64 parts and 16 times `**`. Throws if the mount is not
 * a path.
 */
export async function createVfs(options: VfsOptions = {}): Promise<Vfs | Failure> {
  const mount = options.mountPath ?? '/vfs';
  let files: Record<string, FileData> = {};
  const memory = new StateBackend({
    files: {
      read: () => files,
      send: (update) => {
        files = fileDataReducer(files, update);
      },
    },
  });
  const bounded: BackendProtocol = Object.assign(Object.create(memory) as StateBackend, {
    glob: async (pattern: string, path?: string, call?: CallOptions): Promise<GlobResult> =>
      tooComplex(pattern) ?? memory.glob(pattern, path, call),
  });
  const tree = new CompositeBackend(closed(mount), { [mount]: bounded });
  const uploads = Object.entries(options.initialFiles ?? {}).map(([path, content]): [string, Uint8Array] => [
    isInMount(path, mount) ? path : `${asDirectory(mount)}${path.replace(/^\/+/, '')}`,
    bytesOf(content),
  ]);
  const answers = await tree.uploadFiles(uploads);
  const wrong = answers.find(({ error }) => error !== null);
  if (wrong !== undefined)
    return failure('invalid', `The initial file '${wrong.path}' could not be created (${wrong.error}).`);
  const backend = new ClosableBackend(tree);
  return {
    backend,
    close: () => {
      backend.isClosed = true;
      files = {};
    },
  };
}

class ClosableBackend extends ScreenedBackend {
  isClosed = false;
  protected readonly sees = null;

  protected check(): Failure | null {
    return this.isClosed ? failure('unsupported', 'Error: the sandbox is closed.') : null;
  }
}

function isInMount(path: string, mount: string): boolean {
  const at = checkPath(path);
  return !isFailure(at) && at.path.startsWith(asDirectory(mount));
}

function tooComplex(pattern: string): Failure | null {
  if (pattern.length > MAX_PATTERN)
    return failure('too_large', `Glob pattern is too long (at most ${MAX_PATTERN} characters)`);
  const parts = pattern.split('/');
  if (parts.length > MAX_SEGMENTS)
    return failure('too_large', `Glob pattern has too many parts (at most ${MAX_SEGMENTS})`);
  if (parts.filter((part) => part === '**').length > MAX_ANY_DEPTH)
    return failure('too_large', `Glob pattern has too many ** (at most ${MAX_ANY_DEPTH})`);
  const matcher = compileGlob(pattern);
  return isFailure(matcher) ? matcher : null;
}

/** The backend beside the mount: it is empty, and nothing can be created there. */
function closed(mount: string): BackendProtocol {
  const empty = new StateBackend({ files: { read: () => ({}), send: () => undefined } });
  const refuse = async (path: string) =>
    failure('denied', `'${path}' is outside '${mount}', where the files are.`);
  return Object.assign(Object.create(empty) as StateBackend, {
    write: refuse,
    edit: refuse,
    delete: refuse,
    uploadFiles: async (uploads: [string, Uint8Array][]) =>
      uploads.map(([path]) => ({ path, error: 'permission_denied' as const })),
  });
}
