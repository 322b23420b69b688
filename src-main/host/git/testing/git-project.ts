import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeTreeSync } from '../../../base/remove-tree';
import type { Project } from '../../../contract/app';
import type { ChangeAuthor } from '../../../contract/changes';
import { ProjectId } from '../../../contract/ids';
import type { Result } from '../../../contract/result';
import type { Storage } from '../../../storage';
import type { Reverts } from '../../project/changes/reverts';
import { GitService } from '../git-service';

export let base: string;
export let folder: string;
export let project: Project;
export let git: GitService;
export let service: (more?: { maxListed: number }) => GitService;
export let env: NodeJS.ProcessEnv;
const settings = new Map<string, unknown>();
export const authors = new Map<string, { by: ChangeAuthor['by']; at: number }[]>();
export const signal = new AbortController().signal;

/** Runs git as the person does, in their own terminal. */
export const run = (...args: string[]) => execFileSync('git', args, { cwd: folder, env, encoding: 'utf8' });
export const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
export const lines = (count: number) => Array.from({ length: count }, (_, at) => `line ${at}\n`).join('');
export const first = () => {
  write('a.txt', lines(40));
  run('add', '.');
  run('commit', '-qm', 'first');
};

export function must<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`${result.error.code} ${result.error.detail ?? ''}`);
  return result.value;
}
export const codeOf = (result: Result<unknown>) => (result.ok ? 'ok' : result.error.code);
export const status = async () => {
  const { repository } = must(await git.status(project, signal));
  if (repository === null) throw new Error('There is no repository.');
  return repository;
};

/** Makes an empty repository with a GitService; each test gets its own. */
export function start() {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'deepdesk-git-test-')));
  folder = join(base, 'project');
  mkdirSync(folder);
  const config = join(base, 'gitconfig');
  writeFileSync(config, '[user]\n\tname = Ann\n\temail = ann@example.com\n[init]\n\tdefaultBranch = main\n');
  env = { PATH: process.env.PATH, HOME: base, GIT_CONFIG_GLOBAL: config, GIT_CONFIG_NOSYSTEM: '1' };
  settings.clear();
  authors.clear();
  const storage = {
    settings: {
      get: (key: string) => settings.get(key) ?? null,
      set: (key: string, value: unknown) => settings.set(key, value),
    },
    fileChanges: { lastByAuthor: () => authors },
  } as unknown as Storage;
  const reverts = {
    blame: async () => ({
      steps: [{ at: 1, author: { by: 'agent' } }],
      runs: [
        { count: 20, step: 0 },
        { count: 100, step: null },
      ],
    }),
  } as unknown as Reverts;
  service = (more) => new GitService({ storage, reverts, env, ...more });
  git = service();
  const id = ProjectId.parse('p1');
  project = { id, name: 'p', folder, mount: folder, isSample: false, openedAt: 1, missing: false };
  run('init', '-q');
}
export const stop = () => removeTreeSync(base);

export function replaceGit(other: GitService) {
  git = other;
}

export function replaceProject(other: Project) {
  project = other;
}
