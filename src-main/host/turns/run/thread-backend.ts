import { mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import type { Project } from '../../../contract/app';
import type { Place } from '../../../contract/places';
import { optional } from '../../../contract/shared/optional';
import type {
  BackendProtocol,
  CommandRunner,
  CompositeBackendOptions,
  LocalShellBackendOptions,
  SandboxBackendProtocol,
} from '../../../harness';
import type { EditorFiles } from '../../../harness/acp/host';
import {
  CompositeBackend,
  isSandboxBackend,
  LocalShellBackend,
  PermissionBackend,
  StateBackend,
  StoreBackend,
} from '../../../harness/backends';
import type { Storage } from '../../../storage';
import { protectionOf } from '../../approvals/protected-paths';
import { MarkedMemories } from '../../memories/marked-memories';
import type { PlaceShellOptions } from '../../places/place-shell';
import { pathRulesOf } from '../../project/access/path-rules';
import { ruled } from '../../project/access/ruled-backend';
import { literally } from '../../project/mount-paths';
import {
  ATTACHMENTS,
  COMMAND_OUTPUT,
  memoryRoutes,
  readOnly,
  type SkillFolders,
  skillRoutes,
} from '../../project/mounts';
import { RecordedShell, type Recording } from './recorded-shell';

/** Bytes of a command's output that the agent gets; longer output is stored in a file, so this may be a part. */
const MAX_OUTPUT_BYTES = 64_000;

/**
 * The tree for one thread's tools: the folder at its mount, with commands; memories in the store, the project's and those for everywhere; everything else in the
 * thread's own state.
 */
export async function threadBackend(options: {
  project: Project;
  storage: Storage;
  runner: CommandRunner;
  env: Record<string, string>;
  /** Folder on this machine for the outputs of the thread's commands; created if missing. */
  outputs: string;
  /** The same for the person's attachments. */
  attachments: string;
  skills?: SkillFolders;
  /** Receives the changes of calls in the folder. */
  recording: Recording;
  /** Open files of the editor that hosts the thread: what is not saved there wins over the disk. */
  editorFiles?: EditorFiles;
  /** Paths of the thread's muted memories, and whether it has seen outside content. */
  memories?: { muted: readonly string[]; metOutside: () => boolean };
  /** The project's places, by mount: those of the agent, and the mounts that are protected like the folder. */
  places: {
    routes: Record<string, BackendProtocol>;
    mounts: () => readonly string[];
    /** The folder of a remote project. Null: it is on this machine. */
    home: Place | null;
    /** Commands on places, by mount, in the terminals of the thread. */
    shells: (options: Omit<PlaceShellOptions, 'hasPerson'>) => CompositeBackendOptions['shells'];
  };
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
    editorFiles,
    places,
  } = options;
  await Promise.all([outputs, attachments].map((own) => mkdir(own, { recursive: true, mode: 0o700 })));
  const commands = {
    runner,
    env,
    maxOutputBytes: MAX_OUTPUT_BYTES,
    outputFolder: { folder: outputs, path: COMMAND_OUTPUT },
  };
  const shell: LocalShellBackendOptions = {
    ...commands,
    rootDir: project.folder,
    ...(sandboxOf === undefined ? {} : { sandboxOf, confines: true }),
    ...optional({ accessOf }),
  };
  const { [places.home?.path ?? '']: shellThere, ...shells } =
    places.shells({ ...commands, rootDir: outputs }) ?? {};
  const folder =
    project.remote === undefined
      ? new RecordedShell(shell, recording, editorFiles)
      : remoteFolder(project, places, new LocalShellBackend({ ...commands, rootDir: outputs }), shellThere);
  const protects = protectionOf(project, { home: env.HOME ?? homedir(), mounts: places.mounts });
  const tree = new CompositeBackend(
    new StateBackend(),
    {
      ...places.routes,
      [`${project.mount}/`]: folder,
      ...memoryRoutes(project, (namespace, mount) =>
        memories === undefined
          ? new StoreBackend({ namespace, store: storage.store })
          : ownMemories(storage, { namespace, mount }, memories),
      ),
      [`${COMMAND_OUTPUT}/`]: readOnly(outputs),
      [`${ATTACHMENTS}/`]: readOnly(attachments),
      ...skillRoutes(skills),
    },
    {
      ...(isSandboxBackend(folder) ? { execute: folder } : {}),
      omits: (path) => protects('read', path) !== null,
      shells,
    },
  );
  return ruled(tree, () => pathRulesOf(storage, project));
}

/** Files and commands of a remote project. Without its place, nothing is there and nothing runs. */
function remoteFolder(
  { mount, remote }: Project,
  { routes }: { routes: Record<string, BackendProtocol> },
  { jobs }: LocalShellBackend,
  shell: Pick<SandboxBackendProtocol, 'execute'> | undefined,
): BackendProtocol {
  const files =
    routes[`${mount}/`] ?? new StateBackend({ files: { read: () => ({}), send: () => undefined } });
  if (shell === undefined) return files;
  const own: Partial<SandboxBackendProtocol> = {
    id: `remote:${remote?.machine ?? ''}`,
    execute: (command, options) => shell.execute(command, options),
    jobs,
  };
  return new Proxy(files, {
    get: (target, name) => {
      if (Object.hasOwn(own, name)) return own[name as keyof typeof own];
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
    has: (target, name) => Object.hasOwn(own, name) || Reflect.has(target, name),
  });
}

/** Muted memories do not exist for the thread: it cannot list, find, read or write them. */
function ownMemories(
  storage: Storage,
  { namespace, mount }: { namespace: string[]; mount: string },
  { muted, metOutside }: { muted: readonly string[]; metOutside: () => boolean },
): BackendProtocol {
  const marked = new MarkedMemories({ namespace, store: storage.store }, metOutside);
  const own = muted.filter((path) => path.startsWith(`${mount}/`));
  if (own.length === 0) return marked;
  const paths = own.map((path) => literally(path.slice(mount.length)));
  return new PermissionBackend(marked, [{ operations: ['read', 'write'], paths, mode: 'deny' }]);
}
