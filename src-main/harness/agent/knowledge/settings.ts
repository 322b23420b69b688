import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/** Options of `createSettings`. */
export interface SettingsOptions {
  /** Where to start looking for the project. Default: the working directory. */
  startPath?: string;
}

/** Where the person and the project keep instructions and skills for agents. */
export interface Settings {
  readonly projectRoot: string | null;
  readonly userDeepagentsDir: string;
  readonly hasProject: boolean;
  getAgentDir(agentName: string): string;
  ensureAgentDir(agentName: string): string;
  getUserAgentMdPath(agentName: string): string;
  getProjectAgentMdPath(): string | null;
  getUserSkillsDir(agentName: string): string;
  ensureUserSkillsDir(agentName: string): string;
  getProjectSkillsDir(): string | null;
  ensureProjectSkillsDir(): string | null;
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
export function createSettings({ startPath }: SettingsOptions = {}): Settings {
  const projectRoot = findProjectRoot(startPath);
  const userDeepagentsDir = join(homedir(), FOLDER);
  const inProject = (...names: string[]) =>
    projectRoot === null ? null : join(projectRoot, FOLDER, ...names);
  const made = <P extends string | null>(path: P): P => {
    if (path !== null) mkdirSync(path, { recursive: true });
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
