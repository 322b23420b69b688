import { mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import type { Project } from '../../contract/app';
import { optional } from '../../contract/shared/optional';
import { CompositeBackend, StateBackend } from '../../harness/backends';
import type { LocalShellBackendOptions } from '../../harness/backends/local-shell';
import { PermissionBackend } from '../../harness/backends/permissions';
import type { BackendProtocol, CommandRunner } from '../../harness/backends/protocol';
import type { Storage } from '../../storage';
import { literally, protectionOf } from '../approvals/protected-paths';
import { MarkedMemories } from '../memories/marked-memories';
import {
  ATTACHMENTS,
  COMMAND_OUTPUT,
  MEMORIES,
  MEMORY_NAMESPACE,
  memoryBackend,
  readOnly,
  type SkillFolders,
  skillRoutes,
} from '../project/mounts';
import { RecordedShell, type Recording } from './recorded-shell';

/** Bytes of a command's output that the agent is handed; what is longer is there in a file, so this need not be all. */
const SHOWN_OUTPUT = 64_000;

/**
 * What the tools of one thread see: the folder at its mount, with commands; memories in the store; everything else kept
 * in the thread's own state.
 */
export async function threadBackend(options: {
  project: Project;
  storage: Storage;
  runner: CommandRunner;
  env: Record<string, string>;
  /** Folder of this machine for the outputs of the thread's commands; made when it is not there. */
  outputs: string;
  /** The same for what the person attached to messages. */
  attachments: string;
  skills?: SkillFolders;
  /** Who hears of what calls change in the folder. */
  recording: Recording;
  /** Memories that the thread does without, by their path, and whether it has met what comes from outside. */
  memories?: { muted: readonly string[]; metOutside: () => boolean };
  /** Confines a command by its call; absent where there is no sandbox. */
  sandboxOf?: LocalShellBackendOptions['sandboxOf'];
  accessOf?: LocalShellBackendOptions['accessOf'];
}): Promise<BackendProtocol> {
  const {
    project,
    storage,
    runner,
    env,
    outputs,
    attachments,
    skills,
    recording,
    sandboxOf,
    accessOf,
    memories,
  } = options;
  await Promise.all([outputs, attachments].map((own) => mkdir(own, { recursive: true, mode: 0o700 })));
  const shell: LocalShellBackendOptions = {
    rootDir: project.folder,
    runner,
    env,
    maxOutputBytes: SHOWN_OUTPUT,
    outputFolder: { folder: outputs, path: COMMAND_OUTPUT },
    ...(sandboxOf === undefined ? {} : { sandboxOf, confines: true }),
    ...optional({ accessOf }),
  };
  const folder = new RecordedShell(shell, recording);
  const protects = protectionOf(project, env.HOME ?? homedir());
  return new CompositeBackend(
    new StateBackend(),
    {
      [`${project.mount}/`]: folder,
      [`${MEMORIES}/`]: memories === undefined ? memoryBackend(storage) : ownMemories(storage, memories),
      [`${COMMAND_OUTPUT}/`]: readOnly(outputs),
      [`${ATTACHMENTS}/`]: readOnly(attachments),
      ...skillRoutes(skills),
    },
    { execute: folder, omits: (path) => protects('read', path) !== null },
  );
}

/** What is muted is not there for the thread: not listed, found, read or written. */
function ownMemories(
  storage: Storage,
  { muted, metOutside }: { muted: readonly string[]; metOutside: () => boolean },
): BackendProtocol {
  const marked = new MarkedMemories({ namespace: MEMORY_NAMESPACE, store: storage.store }, metOutside);
  if (muted.length === 0) return marked;
  const paths = muted.map((path) => literally(path.slice(MEMORIES.length)));
  return new PermissionBackend(marked, [{ operations: ['read', 'write'], paths, mode: 'deny' }]);
}
