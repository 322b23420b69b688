import { adaptBackendProtocol, NO_EXECUTION } from './adapt';
import type { SandboxBackendProtocol } from './commands';
import { failure } from './failure';
import type { BackendProtocol } from './protocol';
import type { AnyBackend, MaybePromise } from './published-protocol';
import { type NodeContext, nodeContext, runFunction, runStore } from './run-context';

/** The argument of a factory: the state of the calling step, the store, and the input that the run started with. */
export interface BackendRuntime extends NodeContext {
  /** The state of the calling step. */
  state: Record<string, unknown>;
  /** The store of the run; undefined if it has none. */
  store: ReturnType<typeof runStore>;
}

/** The parameter is `never` so that factories of the published types fit. */
export type BackendFactory = (runtime: never) => MaybePromise<AnyBackend>;

/**
 * Takes a current backend, an old one, or a function that makes one for each call (which triggers one warning). A factory's
 * backend is unknown before the call, so the result always has `execute` and `delete`. They answer that the operation is not
 * available if the created backend lacks it.
 */
export function resolveBackend(backend: AnyBackend | BackendFactory): BackendProtocol {
  return typeof backend === 'function' ? fromFactory(backend) : adaptBackendProtocol(backend);
}

let warned = false;

function fromFactory(factory: BackendFactory): SandboxBackendProtocol {
  if (!warned) {
    warned = true;
    process.emitWarning('Backend factories are deprecated: pass a backend instead.', {
      code: 'DEEPDESK_BACKEND_FACTORY',
    });
  }
  const make = factory as (runtime: BackendRuntime) => MaybePromise<AnyBackend>;
  const now = async () => adaptBackendProtocol(await make(runtimeOfCall()));
  return {
    id: 'factory',
    ls: async (...args) => (await now()).ls(...args),
    read: async (...args) => (await now()).read(...args),
    readRaw: async (...args) => (await now()).readRaw(...args),
    grep: async (...args) => (await now()).grep(...args),
    glob: async (...args) => (await now()).glob(...args),
    write: async (...args) => (await now()).write(...args),
    edit: async (...args) => (await now()).edit(...args),
    delete: async (path, options) =>
      (await (await now()).delete?.(path, options)) ??
      failure('unsupported', `Error: deletion is not available for '${path}'.`),
    uploadFiles: async (files, options) =>
      (await (await now()).uploadFiles?.(files, options)) ??
      files.map(([path]) => ({ path, error: 'permission_denied' as const })),
    downloadFiles: async (paths) =>
      (await (await now()).downloadFiles?.(paths)) ??
      paths.map((path) => ({ path, content: null, error: 'permission_denied' as const })),
    realPath: async (path) => (await (await now()).realPath?.(path)) ?? path,
    execute: async (command, options) => {
      const made = (await now()) as Partial<SandboxBackendProtocol>;
      if (made.execute !== undefined && made.id) return made.execute(command, options);
      return NO_EXECUTION;
    },
  };
}

/** The state is the step's input, with the current files. */
function runtimeOfCall(): BackendRuntime {
  const run = nodeContext();
  const read = runFunction('__pregel_read');
  const state = typeof run.state === 'object' && run.state !== null ? run.state : {};
  return {
    ...run,
    state: { ...state, ...(read === null ? {} : { files: read('files', true) ?? {} }) },
    store: runStore(),
  };
}
