import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { anyText, checkOptions } from '../../../base/check-options';
import { makeFolderSync } from '../../../base/make-folder';

/** Options of `createSettings`. */
export interface SettingsOptions {
  /** Where to start looking for the project. Default: the working directory. */
  startPath?: string;
}

/** Where the person and the project keep instructions and skills for agents. */
export interface Settings {
  /** Absolute path of the nearest git repository; null if there is none. */
  readonly projectRoot: string | null;
  /** `~/.deepagents`, as an absolute path. */
  readonly userDeepagentsDir: string;
  /** Whether there is a `projectRoot`. */
  readonly hasProject: boolean;
  /** The person's folder for an agent. Throws if the name cannot be that of a folder, as all that take a name. */
  getAgentDir(agentName: string): string;
  /** The same, created if it is missing, as all that start with `ensure`. */
  ensureAgentDir(agentName: string): string;
  /** The person's instructions for an agent, whether the file exists or not. */
  getUserAgentMdPath(agentName: string): string;
  /** The project's instructions; null without a project. */
  getProjectAgentMdPath(): string | null;
  /** The person's skills for an agent. */
  getUserSkillsDir(agentName: string): string;
  /** The same, created if it is missing. */
  ensureUserSkillsDir(agentName: string): string;
  /** The project's skills; null without a project. */
  getProjectSkillsDir(): string | null;
  /** The same, created if it is missing. */
  ensureProjectSkillsDir(): string | null;
  /** The project's `.deepagents`, created if it is missing; null without a project. */
  ensureProjectDeepagentsDir(): string | null;
}

const FOLDER = '.deepagents';
/** Names become folder names. */
const AGENT_NAME = /^[A-Za-z0-9_\- ]*[A-Za-z0-9_-][A-Za-z0-9_\- ]*$/;

/** The nearest git repository at or above `startPath`. */
export function findProjectRoot(startPath?: string): string | null {
  for (let at = resolve(startPath || process.cwd()); ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (at === dirname(at)) return null;
  }
}

/** Finds the folders of the person and of the project. Creates none by itself. */
export function createSettings(options: SettingsOptions = {}): Settings {
  checkOptions('createSettings', options, { startPath: anyText });
  const { startPath } = options;
  const projectRoot = findProjectRoot(startPath);
  const userDeepagentsDir = join(homedir(), FOLDER);
  const inProject = (...names: string[]) =>
    projectRoot === null ? null : join(projectRoot, FOLDER, ...names);
  const made = <P extends string | null>(path: P): P => {
    if (path !== null) makeFolderSync(path);
    return path;
  };
  const agentDir = (name: string) => {
    if (!AGENT_NAME.test(name))
      throw new Error(
        `Invalid agent name: ${JSON.stringify(name)}. Agent names can only contain letters, numbers, hyphens, underscores, and spaces.`,
      );
    return join(userDeepagentsDir, name);
  };
  return {
    projectRoot,
    userDeepagentsDir,
    hasProject: projectRoot !== null,
    getAgentDir: agentDir,
    ensureAgentDir: (name) => made(agentDir(name)),
    getUserAgentMdPath: (name) => join(agentDir(name), 'agent.md'),
    getProjectAgentMdPath: () => inProject('agent.md'),
    getUserSkillsDir: (name) => join(agentDir(name), 'skills'),
    ensureUserSkillsDir: (name) => made(join(agentDir(name), 'skills')),
    getProjectSkillsDir: () => inProject('skills'),
    ensureProjectSkillsDir: () => made(inProject('skills')),
    ensureProjectDeepagentsDir: () => made(inProject()),
  };
}
