import type { Places } from '../approvals/effects';
import { CompositeBackend, LocalShellBackend, StateBackend, StoreBackend } from '../backends';
import type { BackendProtocol, CommandRunner, FileData } from '../backends/protocol';
import type { Project } from '../contract/app';
import type { Storage } from '../storage';
import { holdsSecrets } from './protected-paths';

/** Where the agent's memories are, for every project and thread alike. */
export const MEMORIES = '/memories';
export const MEMORY_NAMESPACE = ['memories'];

/** Where the folder stands for the tools: its own path, so that file tools and commands speak the same words. */
export const mountOf = (folder: string, platform: NodeJS.Platform): string =>
  platform === 'win32' ? '/workspace' : folder.replace(/\/+$/, '');

export const placesOf = (project: Project): Places => ({ folder: project.mount, memories: MEMORIES });

/**
 * What the tools of one thread see: the folder at its mount, with commands; memories in the store; everything else kept
 * in the thread's own state.
 */
export function threadBackend(options: {
  project: Project;
  storage: Storage;
  runner: CommandRunner;
  env: Record<string, string>;
}): BackendProtocol {
  const { project, storage, runner, env } = options;
  const folder = new LocalShellBackend({ rootDir: project.folder, runner, env });
  return new CompositeBackend(
    new StateBackend(),
    { [`${project.mount}/`]: folder, [`${MEMORIES}/`]: memoryBackend(storage) },
    { execute: folder, withholds: holdsSecrets(project.mount) },
  );
}

/** What the window's viewer sees: the same tree, for reading, with a thread's files as they were last saved. */
export function viewBackend(options: {
  project: Project;
  storage: Storage;
  runner: CommandRunner;
  files: Record<string, FileData>;
}): BackendProtocol {
  const { project, storage, runner, files } = options;
  const state = new StateBackend({ files: { read: () => files, send: () => undefined } });
  const folder = new LocalShellBackend({ rootDir: project.folder, runner, env: {} });
  return new CompositeBackend(state, {
    [`${project.mount}/`]: folder,
    [`${MEMORIES}/`]: memoryBackend(storage),
  });
}

const memoryBackend = (storage: Storage) =>
  new StoreBackend({ namespace: MEMORY_NAMESPACE, store: storage.store });
