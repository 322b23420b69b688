import type { Project } from '../../contract/app';
import type { ProjectId } from '../../contract/ids';
import { fail, ok, type Result } from '../../contract/result';
import type { HandlersOf } from '../../contract/rpc';
import type { PlaceFiles } from '../places/place-files';
import { withPlaceNames } from '../places/place-names';
import type { Places } from '../places/places';
import type { Reverts } from '../project/changes/reverts';
import type { FileActions } from '../project/files/file-actions';
import type { FileContent } from '../project/files/file-content';
import type { Files } from '../project/files/files';
import { isSafeToOpen } from '../project/files/safe-to-open';
import type { FolderScout } from '../project/folder-scout';
import { hostPath } from '../project/mount-paths';
import type { ProjectRegistry } from '../project/projects';
import type { Connection } from '../window/connection';
import type { DesktopServices } from '../window/desktop-services';

interface Parts {
  projects: ProjectRegistry;
  files: Files;
  fileActions: FileActions;
  placeFiles: PlaceFiles;
  content: FileContent;
  scout: FolderScout;
  places: Places;
  reverts: Reverts;
  desktop: DesktopServices;
}

type FileHandlers = HandlersOf<'files', Connection>;

export const filesHandlers = (parts: Parts): FileHandlers => ({
  ...looking(parts),
  ...changing(parts),
  ...outside(parts),
});

type Looking =
  | 'files.list'
  | 'files.read'
  | 'files.marks'
  | 'files.ignored'
  | 'files.find'
  | 'files.text'
  | 'files.document'
  | 'files.bytes'
  | 'files.address'
  | 'files.search'
  | 'files.blame';

function looking({ projects, files, content, scout, places, reverts }: Parts): Pick<FileHandlers, Looking> {
  const inProject = inProjectOf(projects);
  return {
    'files.list': ({ projectId, threadId, path, offset = 0 }) =>
      inProject(projectId, (project) => files.list(project, threadId, path, offset)),
    'files.read': ({ projectId, threadId, path, offset, limit }, _connection, signal) =>
      inProject(projectId, (project) => files.read(project, threadId, path, { offset, limit, signal })),
    'files.marks': ({ projectId }) => inProject(projectId, async (project) => ok(await scout.marks(project))),
    'files.ignored': ({ projectId, directories }) =>
      inProject(projectId, async (project) => ok(await scout.ignored(project, directories))),
    'files.find': ({ projectId, query, limit }) =>
      inProject(projectId, async (project) => {
        const found = await scout.find(project, query, limit);
        return ok(withPlaceNames(found, places.names.find(project, query, limit), limit));
      }),
    'files.text': ({ projectId, threadId, path }) =>
      inProject(projectId, (project) => content.text({ project, threadId, path })),
    'files.document': ({ projectId, threadId, path }, _connection, signal) =>
      inProject(projectId, (project) => content.document({ project, threadId, path }, signal)),
    'files.bytes': ({ projectId, threadId, path, offset, length }) =>
      inProject(projectId, (project) => content.bytes({ project, threadId, path }, offset, length)),
    'files.address': ({ projectId, threadId, path }) =>
      inProject(projectId, (project) => content.address({ project, threadId, path })),
    'files.search': ({ projectId, threadId, path, query }, _connection, signal) =>
      inProject(projectId, (project) => files.search(project, threadId, path, query, signal)),
    'files.blame': ({ projectId, path }) =>
      inProject(projectId, async (project) => {
        if (!path.startsWith(`${project.mount}/`)) return ok({ steps: [], runs: [] });
        return ok(await reverts.blame(project, path.slice(project.mount.length + 1)));
      }),
  };
}

type Changing =
  | 'files.create'
  | 'files.move'
  | 'files.copy'
  | 'files.trash'
  | 'files.untrash'
  | 'files.put'
  | 'files.save';

function changing({ projects, fileActions, placeFiles, scout }: Parts): Pick<FileHandlers, Changing> {
  const inProject = inProjectOf(projects);
  const actionsAt = (project: Project, path: string) =>
    placeFiles.has(project, path) ? placeFiles : fileActions;
  /** The work may add or remove names. */
  const naming = <T>(projectId: ProjectId, work: (project: Project) => Promise<Result<T>>) =>
    inProject(projectId, async (project) => {
      const done = await work(project);
      scout.changed(project);
      return done;
    });
  return {
    'files.create': ({ projectId, path, kind }) =>
      naming(projectId, async (project) =>
        emptied(await actionsAt(project, path).create(project, path, kind)),
      ),
    'files.move': ({ projectId, from, to }) =>
      naming(projectId, async (project) => emptied(await actionsAt(project, from).move(project, from, to))),
    'files.copy': ({ projectId, path, into }) =>
      naming(projectId, (project) => fileActions.copy(project, path, into)),
    'files.trash': ({ projectId, paths }) =>
      naming(projectId, (project) => actionsAt(project, paths[0] ?? '').trash(project, paths)),
    'files.untrash': ({ projectId, undo }) =>
      naming(projectId, async (project) => {
        const there = await placeFiles.untrash(project, undo);
        return emptied(there ?? (await fileActions.untrash(project, undo)));
      }),
    'files.put': ({ projectId, path, upload, offset, data, last, cancel }) =>
      naming(projectId, (project) =>
        cancel === true
          ? fileActions.cancelPut(project, path, upload)
          : fileActions.put(project, path, { upload, offset, bytes: Buffer.from(data, 'base64'), last }),
      ),
    'files.save': ({ projectId, path, text, version }) =>
      inProject(projectId, (project) => fileActions.save(project, path, text, version)),
  };
}

type Outside = 'files.dragOut' | 'files.openOutside' | 'files.reveal';

function outside({ projects, fileActions, desktop }: Parts): Pick<FileHandlers, Outside> {
  const inProject = inProjectOf(projects);
  return {
    'files.dragOut': ({ projectId, paths }) =>
      inProject(projectId, async (project) => {
        const { startDrag } = desktop;
        if (startDrag === undefined) return fail('unsupported', 'nothing_to_drag');
        const hosts = await fileActions.hosts(project, paths);
        if (!hosts.ok) return hosts;
        startDrag(hosts.value);
        return ok({});
      }),
    'files.openOutside': ({ projectId, path }) =>
      inProject<{ opened: boolean }>(projectId, async (project) => {
        const { openPath } = desktop;
        if (openPath === undefined) return fail('unsupported', 'no_other_program');
        const hosts = await fileActions.hosts(project, [path]);
        if (!hosts.ok) return hosts;
        const [host = ''] = hosts.value;
        if (!(await isSafeToOpen(host))) {
          desktop.reveal(host);
          return ok({ opened: false });
        }
        const told = await openPath(host);
        return told === '' ? ok({ opened: true }) : fail('unsupported', 'no_program_opened_it', {}, told);
      }),
    'files.reveal': ({ projectId, path }) => {
      const project = projects.get(projectId);
      if (!project.ok) return project;
      const host = hostPath(project.value, path);
      if (!host.ok) return host;
      desktop.reveal(host.value);
      return ok({});
    },
  };
}

const inProjectOf =
  (projects: ProjectRegistry) =>
  async <T>(projectId: ProjectId, work: (project: Project) => Promise<Result<T>>): Promise<Result<T>> => {
    const project = await projects.present(projectId);
    return project.ok ? work(project.value) : project;
  };

const emptied = (result: Result<object>): Result<Record<string, never>> => (result.ok ? ok({}) : result);
