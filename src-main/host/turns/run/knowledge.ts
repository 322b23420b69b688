import { realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, sep } from 'node:path';
import { isBelow } from '../../../base/is-below';
import { readRegular } from '../../../base/open-regular';
import { isRefused } from '../../../base/regular-file';
import { isSecretPath } from '../../../base/secret-paths';
import type { Project } from '../../../contract/app';
import { reasonOf } from '../../../contract/errors';
import type { AppError, Result } from '../../../contract/result';
import { optional } from '../../../contract/shared/optional';
import { because, type Reason } from '../../../contract/shared/reasons';
import type { BackendProtocol, FilesystemPermission, ListedSkills, MemorySource } from '../../../harness';
import { listAgentFiles } from '../../../harness/agent/knowledge/agent-file';
import { listSkills } from '../../../harness/agent/knowledge/list-skills';
import { CompositeBackend, FilesystemBackend } from '../../../harness/backends';
import { BUILT_IN_NAMES } from '../../../harness/tools/catalogue';
import { redactedReads, type SecretGuard } from '../../project/access/secret-guard';
import type { StampedPlace } from '../../project/changes/file-stamps';
import { literally } from '../../project/mount-paths';
import {
  APP_SKILLS,
  MEMORIES,
  PERSONAL_AGENTS,
  PERSONAL_SKILLS,
  SHARED_MEMORIES,
} from '../../project/mounts';
import type { ReadyModel } from '../../settings/run-models';
import type { AgentOfFile } from './sub-agent';

const INSTRUCTIONS = 'AGENTS.md';
/** Maximum bytes read of an instruction file. */
const MAX_INSTRUCTIONS = 256 * 1024;
/** Maximum number of parent folders checked. */
const MAX_PARENTS = 20;

/**
 * Instruction files, the most general first: the memories for everywhere and of the project, then AGENTS.md of the project's parent folders, then its
 * own. Parents count up to the root of the repository or, outside one, up to the person's home; never folders of somebody
 * else.
 */
export async function instructionsOf(project: Project, home: string = homedir()): Promise<MemorySource[]> {
  // Nothing above the folder of another computer is read.
  const folders = project.remote === undefined ? await foldersAbove(project.folder, home) : [];
  const top = folders[0] ?? project.folder;
  return [
    `${SHARED_MEMORIES}/${INSTRUCTIONS}`,
    `${MEMORIES}/${INSTRUCTIONS}`,
    ...(project.remote === undefined ? [] : [`${project.mount}/${INSTRUCTIONS}`]),
    ...folders.map((folder): MemorySource => {
      const own = folder === project.folder;
      return {
        path: own ? `${project.mount}/${INSTRUCTIONS}` : join(folder, INSTRUCTIONS),
        load: () => readInstructions(join(folder, INSTRUCTIONS), top),
      };
    }),
  ];
}

/**
 * The files and folders that `instructionsOf` and its reads depend on: a change of folder, owner, repository or file may
 * change them.
 */
export async function instructionPlaces(project: Project, home: string = homedir()): Promise<StampedPlace[]> {
  const { found, strange } = await findAbove(project.folder, home);
  return [
    ...found.flatMap(({ path }): StampedPlace[] => [
      { path, by: 'identity' },
      { path: join(path, '.git'), by: 'identity' },
      { path: join(path, INSTRUCTIONS), by: 'content' },
    ]),
    ...strange.map((path): StampedPlace => ({ path, by: 'identity' })),
  ];
}

/** The same instructions, read now for the next turn. Later turns read them again. */
export async function readAhead(sources: readonly MemorySource[]): Promise<MemorySource[]> {
  return Promise.all(
    sources.map(async (source): Promise<MemorySource> => {
      if (typeof source === 'string' || !('load' in source)) return source;
      let ahead: { text: string | null } | undefined = { text: await source.load() };
      return {
        path: source.path,
        load: async () => {
          const read = ahead;
          ahead = undefined;
          return read === undefined ? source.load() : read.text;
        },
      };
    }),
  );
}

interface Above {
  /** The folder and its relevant parents. */
  found: { path: string; isRepository: boolean }[];
  /** The folder of somebody else at which the search stops. */
  strange: string[];
}

async function findAbove(folder: string, home: string): Promise<Above> {
  const found: Above['found'] = [];
  for (let at = folder; found.length <= MAX_PARENTS; at = dirname(at)) {
    if (at !== folder && !(await isOurs(at))) return { found, strange: [at] };
    found.push({ path: at, isRepository: await isThere(join(at, '.git')) });
    if (found.at(-1)?.isRepository === true || at === home || dirname(at) === at) break;
  }
  return { found, strange: [] };
}

/** The folder and its relevant parents, the outermost first. */
async function foldersAbove(folder: string, home: string): Promise<string[]> {
  const { found } = await findAbove(folder, home);
  const last = found.at(-1);
  const counts = last?.isRepository === true || last?.path === home;
  return (counts ? found : found.slice(0, 1)).map(({ path }) => path).reverse();
}

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** In a world-writable folder anybody could leave instructions for the agent. */
async function isOurs(folder: string): Promise<boolean> {
  const user = process.getuid?.();
  if (user === undefined) return true;
  const owner = await stat(folder).then(
    ({ uid }) => uid,
    () => null,
  );
  return owner === user;
}

/** Null if it is missing, or leads out of `top` or to a possible secret: links must stay inside. */
async function readInstructions(path: string, top: string): Promise<string | null> {
  const real = await realpath(path).catch(() => null);
  const root = top.endsWith(sep) ? top : `${top}${sep}`;
  if (real === null || !real.startsWith(root)) return null;
  const inside = real.slice(root.length).split(sep).join('/');
  if (isSecretPath(inside, homedir())) return null;
  // Reads the same file that was just checked, or none.
  const read = { root: top, links: 'none', maxBytes: MAX_INSTRUCTIONS, cut: true } as const;
  const bytes = await readRegular(real, read);
  return isRefused(bytes) || bytes.includes(0) ? null : new TextDecoder().decode(bytes);
}

/** Skill folders: the app's, the person's, the project's; later ones override. */
export const skillsOf = (project: Project): string[] => [
  APP_SKILLS,
  PERSONAL_SKILLS,
  `${project.mount}/.deepdesk/skills`,
];

/** The skills of the next turn. Errors reach whoever awaits them. */
export function skillsAhead(
  project: Project,
  backend: BackendProtocol,
  guard: SecretGuard,
): Promise<ListedSkills> {
  const listed = listSkills(redactedReads(backend, guard), skillsOf(project));
  listed.catch(() => undefined);
  return listed;
}

/** Files that describe sub-agents: the person's, overridden by the project's. */
export function agentFilesOf(options: { project: Project; backend: BackendProtocol; personal: string }) {
  const { project, backend, personal } = options;
  const places = new CompositeBackend(backend, {
    [`${PERSONAL_AGENTS}/`]: new FilesystemBackend({ rootDir: personal }),
  });
  return listAgentFiles(places, [PERSONAL_AGENTS, `${project.mount}/.deepdesk/agents`]);
}

/** The owner of a skill or an agent, by its path. */
export function ownerOf(path: string): 'app' | 'person' | 'project' {
  if (path.startsWith(`${APP_SKILLS}/`)) return 'app';
  return path.startsWith(`${PERSONAL_SKILLS}/`) || path.startsWith(`${PERSONAL_AGENTS}/`)
    ? 'person'
    : 'project';
}

/** A file cannot know where the project is: `/src/**` is `src` in it. Paths of memories and places stay as they are. */
const globsFor = (glob: string, { mount }: Project, places: readonly string[]): string[] =>
  [mount, MEMORIES, ...places].some((other) => isBelow(glob, other))
    ? [glob]
    : [glob, `${literally(mount)}${glob}`];

const providerOf = (model: string): string => model.slice(0, Math.max(0, model.indexOf(':'))).trim();

/** Why a model cannot be used, without what the error of a turn says about the person's message. */
function modelProblem(error: AppError): Reason {
  const variable = error.values?.variable;
  if (error.code === 'key_missing' && typeof variable === 'string')
    return because('agent_model_key', { variable });
  return error.code === 'address_missing' ? because('agent_model_address') : reasonOf(error);
}

/**
 * The sub-agents described in files; the project's override the person's of the same name. Those with an unusable model are
 * skipped and named in `warn`. A project's file can choose only among models of the thread's provider: no other one gets the
 * person's data because a folder says so.
 */
export async function subAgentsOf(options: {
  project: Project;
  backend: BackendProtocol;
  /** Folder on this machine with the person's own. */
  personal: string;
  /** Paths of the project's places. */
  places: readonly string[];
  /** The thread's model, as `provider:name`. */
  model: string;
  modelOf: (name: string) => Promise<Result<Pick<ReadyModel, 'chat'>>>;
  warn: (why: Reason) => void;
}): Promise<AgentOfFile[]> {
  const { project, places, modelOf, warn } = options;
  const inProject = ({ paths, ...rule }: FilesystemPermission): FilesystemPermission => ({
    ...rule,
    paths: paths.flatMap((glob) => globsFor(glob, project, places)),
    // Like the project's own rules: its disk may ignore case.
    ignoreCase: rule.mode !== 'allow',
  });
  const { agents, warnings } = await agentFilesOf(options);
  for (const warning of warnings) warn(warning);
  const subagents: AgentOfFile[] = [];
  for (const { name, description, prompt, model, tools, permissions, path, permissionsLine } of agents) {
    const isOther = model !== undefined && providerOf(model) !== providerOf(options.model);
    const isRefused = isOther && ownerOf(path) === 'project';
    if (isRefused) warn(because('agent_model_elsewhere', { path, model }));
    const ready = model === undefined || isRefused ? null : await modelOf(model);
    if (ready !== null && !ready.ok) {
      warn(because('agent_left_out', { path, why: modelProblem(ready.error) }));
      continue;
    }
    // A server's tools may come later.
    const unknown = tools?.filter((tool) => !BUILT_IN_NAMES.has(tool) && !tool.includes('__')) ?? [];
    if (unknown.length > 0) warn(because('agent_tools_unknown', { path, tools: unknown.join(', ') }));
    subagents.push({
      name,
      description,
      systemPrompt: prompt,
      ...(ready === null ? {} : { model: ready.value.chat }),
      ...optional({ toolNames: tools, permissions: permissions?.map(inProject) }),
      file: { path, permissionsLine: permissionsLine ?? 1 },
    });
  }
  return subagents;
}
