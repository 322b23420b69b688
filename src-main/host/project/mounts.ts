import { readdir } from 'node:fs/promises';
import type { MountedPlace, Places } from '../../approvals/effects';
import type { Project } from '../../contract/app';
import type { BackendProtocol, CommandRunner, FileData } from '../../harness';
import {
  CompositeBackend,
  FilesystemBackend,
  LocalShellBackend,
  PermissionBackend,
  StateBackend,
  StoreBackend,
} from '../../harness/backends';
import type { Storage } from '../../storage';

/** The agent's memories: those of the project, and below them those for every project. */
export const MEMORIES = '/memories';
export const SHARED_MEMORIES = `${MEMORIES}/shared`;
export const SHARED_NAMESPACE = ['memories'];
/** A private copy of a project has the memories of that project. */
export const projectMemories = ({ id, copy }: Pick<Project, 'id' | 'copy'>): string[] => [
  'project-memories',
  copy?.of ?? id,
];

/** Skills that belong to no project. Both kinds are read-only. */
export const SKILLS = '/skills';
export const APP_SKILLS = `${SKILLS}/app`;
export const PERSONAL_SKILLS = `${SKILLS}/personal`;

/** The person's own sub-agents. */
export const PERSONAL_AGENTS = '/agents/personal';

/** Folders of this machine with those skills; null if the app ships none. */
export interface SkillFolders {
  app: string | null;
  personal: string;
}

/** Long command outputs in full. */
export const COMMAND_OUTPUT = '/command_output';

/** Files that the person attached. */
export const ATTACHMENTS = '/attachments';

/** The folder is mounted at its real path, so that file tools and commands use the same paths. */
export const mountOf = (folder: string, platform: NodeJS.Platform): string =>
  platform === 'win32' ? '/workspace' : folder.replace(/\/+$/, '');

/** `mounts`: what the person mounted, read for each call. */
export const placesOf = (
  project: Project,
  mounts: () => readonly MountedPlace[],
  recipientOf: NonNullable<Places['recipientOf']> = () => null,
): Places => ({
  folder: project.mount,
  memories: MEMORIES,
  recipientOf,
  get mounts() {
    return mounts();
  },
});

/** The tree for the window's viewer: the same as the tools', read-only, with a thread's files as last saved. */
export async function viewBackend(options: {
  project: Project;
  storage: Storage;
  runner: CommandRunner;
  files: Record<string, FileData>;
  /** As for `threadBackend`; null if no thread is shown. Listed once it contains something. */
  outputs: string | null;
  attachments: string | null;
  skills?: SkillFolders;
  /** The places of the project, by mount. */
  places: Record<string, BackendProtocol>;
}): Promise<BackendProtocol> {
  const { project, storage, runner, files, outputs, attachments, skills, places } = options;
  const state = new StateBackend({ files: { read: () => files, send: () => undefined } });
  return new CompositeBackend(state, {
    ...places,
    ...folderRoute(
      project,
      places,
      () => new LocalShellBackend({ rootDir: project.folder, runner, env: {} }),
    ),
    ...memoryRoutes(project, (namespace) => new StoreBackend({ namespace, store: storage.store })),
    ...(await shownWhenFilled(COMMAND_OUTPUT, outputs)),
    ...(await shownWhenFilled(ATTACHMENTS, attachments)),
    ...skillRoutes(skills),
  });
}

/** The folder and the skills, to read a run's instructions before the rest of its backend exists. */
export const readingBackend = (
  project: Project,
  skills: SkillFolders | undefined,
  places: Record<string, BackendProtocol>,
): BackendProtocol =>
  new CompositeBackend(new StateBackend({ files: { read: () => ({}), send: () => undefined } }), {
    ...folderRoute(project, places, () => readOnly(project.folder)),
    ...skillRoutes(skills),
  });

/** The project folder at its mount. That of a remote project is one of its places. */
function folderRoute(
  { mount, remote }: Project,
  places: Record<string, BackendProtocol>,
  here: () => BackendProtocol,
): Record<string, BackendProtocol> {
  const path = `${mount}/`;
  if (remote === undefined) return { [path]: here() };
  const there = places[path];
  return there === undefined ? {} : { [path]: there };
}

async function shownWhenFilled(
  path: string,
  folder: string | null,
): Promise<Record<string, BackendProtocol>> {
  if (folder === null) return {};
  const names = await readdir(folder).catch(() => []);
  return names.length > 0 ? { [`${path}/`]: readOnly(folder) } : {};
}

/** `make` gets the namespace of the store and its path in the tree. */
export const memoryRoutes = (
  project: Project,
  make: (namespace: string[], mount: string) => BackendProtocol,
): Record<string, BackendProtocol> => ({
  [`${MEMORIES}/`]: make(projectMemories(project), MEMORIES),
  [`${SHARED_MEMORIES}/`]: make(SHARED_NAMESPACE, SHARED_MEMORIES),
});

export const skillRoutes = (skills: SkillFolders | undefined): Record<string, BackendProtocol> => ({
  ...(skills === undefined || skills.app === null ? {} : { [`${APP_SKILLS}/`]: readOnly(skills.app) }),
  ...(skills === undefined ? {} : { [`${PERSONAL_SKILLS}/`]: readOnly(skills.personal) }),
});

/** A read-only folder of this machine. */
export const readOnly = (folder: string) =>
  new PermissionBackend(new FilesystemBackend({ rootDir: folder }), [
    { operations: ['write'], paths: ['/**'], mode: 'deny' },
  ]);
