import { mkdir, readdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import type { Places } from '../../approvals/effects';
import type { Project } from '../../contract/app';
import { optional } from '../../contract/shared/optional';
import { CompositeBackend, LocalShellBackend, StateBackend, StoreBackend } from '../../harness/backends';
import { FilesystemBackend } from '../../harness/backends/filesystem';
import type { LocalShellBackendOptions } from '../../harness/backends/local-shell';
import { PermissionBackend } from '../../harness/backends/permissions';
import type { BackendProtocol, CommandRunner, FileData } from '../../harness/backends/protocol';
import type { Storage } from '../../storage';
import { literally, protectionOf } from '../approvals/protected-paths';
import { MarkedMemories } from '../memories/marked-memories';
import { ATTACHMENTS } from '../threads/attachments';
import { RecordedShell, type Recording } from '../turns/recorded-shell';

/** Where the agent's memories are, for every project and thread alike. */
export const MEMORIES = '/memories';
export const MEMORY_NAMESPACE = ['memories'];

/** Where skills are that belong to no project; both are for reading only. */
export const SKILLS = '/skills';
export const APP_SKILLS = `${SKILLS}/app`;
export const PERSONAL_SKILLS = `${SKILLS}/personal`;

/** Folders of this machine with those skills; null where the app ships none. */
export interface SkillFolders {
  app: string | null;
  personal: string;
}

/** Where the whole of long command outputs can be read. */
const COMMAND_OUTPUT = '/command_output';

/** Bytes of a command's output that the agent is handed; what is longer is there in a file, so this need not be all. */
const SHOWN_OUTPUT = 64_000;

/** Where the folder stands for the tools: its own path, so that file tools and commands speak the same words. */
export const mountOf = (folder: string, platform: NodeJS.Platform): string =>
  platform === 'win32' ? '/workspace' : folder.replace(/\/+$/, '');

export const placesOf = (project: Project): Places => ({ folder: project.mount, memories: MEMORIES });

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
    { execute: folder, withholds: (path) => protects('read', path) !== null },
  );
}

/** What the window's viewer sees: the same tree, for reading, with a thread's files as they were last saved. */
export async function viewBackend(options: {
  project: Project;
  storage: Storage;
  runner: CommandRunner;
  files: Record<string, FileData>;
  /** As for `threadBackend`; null where no thread is looked at. Shown once there is something in it. */
  outputs: string | null;
  attachments: string | null;
  skills?: SkillFolders;
}): Promise<BackendProtocol> {
  const { project, storage, runner, files, outputs, attachments, skills } = options;
  const state = new StateBackend({ files: { read: () => files, send: () => undefined } });
  const folder = new LocalShellBackend({ rootDir: project.folder, runner, env: {} });
  return new CompositeBackend(state, {
    [`${project.mount}/`]: folder,
    [`${MEMORIES}/`]: memoryBackend(storage),
    ...(await shownWhenFilled(COMMAND_OUTPUT, outputs)),
    ...(await shownWhenFilled(ATTACHMENTS, attachments)),
    ...skillRoutes(skills),
  });
}

/** The folder and the skills, for reading what a run goes by before the rest of its backend is there. */
export const readingBackend = (project: Project, skills: SkillFolders | undefined): BackendProtocol =>
  new CompositeBackend(new StateBackend({ files: { read: () => ({}), send: () => undefined } }), {
    [`${project.mount}/`]: readOnly(project.folder),
    ...skillRoutes(skills),
  });

async function shownWhenFilled(
  path: string,
  folder: string | null,
): Promise<Record<string, BackendProtocol>> {
  if (folder === null) return {};
  const names = await readdir(folder).catch(() => []);
  return names.length > 0 ? { [`${path}/`]: readOnly(folder) } : {};
}

const memoryBackend = (storage: Storage) =>
  new StoreBackend({ namespace: MEMORY_NAMESPACE, store: storage.store });

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

const skillRoutes = (skills: SkillFolders | undefined): Record<string, BackendProtocol> => ({
  ...(skills === undefined || skills.app === null ? {} : { [`${APP_SKILLS}/`]: readOnly(skills.app) }),
  ...(skills === undefined ? {} : { [`${PERSONAL_SKILLS}/`]: readOnly(skills.personal) }),
});

/** A folder of this machine that is there to be read. */
const readOnly = (folder: string) =>
  new PermissionBackend(new FilesystemBackend({ rootDir: folder }), [
    { operations: ['write'], paths: ['/**'], mode: 'deny' },
  ]);
