import { readdir } from 'node:fs/promises';
import type { Places } from '../../approvals/effects';
import type { Project } from '../../contract/app';
import { CompositeBackend, LocalShellBackend, StateBackend, StoreBackend } from '../../harness/backends';
import { FilesystemBackend } from '../../harness/backends/filesystem';
import { PermissionBackend } from '../../harness/backends/permissions';
import type { BackendProtocol, CommandRunner, FileData } from '../../harness/backends/protocol';
import type { Storage } from '../../storage';

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
export const COMMAND_OUTPUT = '/command_output';

/** Where the agent finds what the person attached. */
export const ATTACHMENTS = '/attachments';

/** Where the folder stands for the tools: its own path, so that file tools and commands speak the same words. */
export const mountOf = (folder: string, platform: NodeJS.Platform): string =>
  platform === 'win32' ? '/workspace' : folder.replace(/\/+$/, '');

export const placesOf = (project: Project): Places => ({ folder: project.mount, memories: MEMORIES });

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

export const memoryBackend = (storage: Storage) =>
  new StoreBackend({ namespace: MEMORY_NAMESPACE, store: storage.store });

export const skillRoutes = (skills: SkillFolders | undefined): Record<string, BackendProtocol> => ({
  ...(skills === undefined || skills.app === null ? {} : { [`${APP_SKILLS}/`]: readOnly(skills.app) }),
  ...(skills === undefined ? {} : { [`${PERSONAL_SKILLS}/`]: readOnly(skills.personal) }),
});

/** A folder of this machine that is there to be read. */
export const readOnly = (folder: string) =>
  new PermissionBackend(new FilesystemBackend({ rootDir: folder }), [
    { operations: ['write'], paths: ['/**'], mode: 'deny' },
  ]);
