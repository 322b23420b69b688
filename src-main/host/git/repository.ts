import { lstat, mkdir, mkdtemp, readdir, realpath, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { readRegularText } from '../../base/open-regular';
import { isRefused } from '../../base/regular-file';
import { removeTree } from '../../base/remove-tree';
import { fail, ok, type Result } from '../../contract/result';
import { type GitSetting, isRunning, settingsOf } from '../../harness/sandbox';
import type { GitPlace } from './run-git';

export interface Repository extends GitPlace {
  /** Where hooks are by default: the real common folder. */
  realCommon: string;
  settings: readonly GitSetting[];
  /** Settings of the repository that start programs. Git does not see them. */
  ignored: string[];
}

/** Settings of a repository that git may see: none of them names a program or another file. */
const HARMLESS =
  /^(core\.(filemode|ignorecase|precomposeunicode|symlinks|autocrlf|eol|safecrlf|sparsecheckout|sparsecheckoutcone|abbrev)|extensions\.objectformat|user\.(name|email)|branch\..*\.(remote|merge)|remote\..*\.(url|pushurl|fetch)|i18n\.commitencoding|merge\.conflictstyle)$/s;
/** A fetch must not write to the person's own branches. */
const FETCHES_REMOTE = /^\+?refs\/heads\/[^:]+:refs\/remotes\/[^:]+$/;
const isHarmless = ({ key, value }: GitSetting) =>
  HARMLESS.test(key) && (!/^remote\..*\.fetch$/s.test(key) || FETCHES_REMOTE.test(value));

/** To sign starts a program. The person's own setting still applies. */
const isIgnored = (one: GitSetting): boolean =>
  isRunning(one) || (one.key === 'commit.gpgsign' && /^(true|yes|on|1|)$/i.test(one.value));

/** Extensions without which the repository would be misread. */
const KNOWN_EXTENSION = /^extensions\.(objectformat|noop|worktreeconfig)$/;

/** What git shares between worktrees. The configuration and the hooks are left out. */
const SHARED = ['HEAD', 'logs', 'objects', 'packed-refs', 'refs', 'shallow', 'worktrees'];
const MAX_TEXT = 1024 * 1024;
/** Maximum number of references and logs that are checked for links. */
const MAX_CHECKED = 50_000;

/** Whether the folder holds a repository. */
export const hasRepository = (folder: string): Promise<boolean> =>
  lstat(join(folder, '.git')).then(
    (found) => found.isDirectory() || found.isFile(),
    () => false,
  );

/**
 * Works with the repository of a folder. Git takes its shared files from a private folder with links to the real ones, but
 * with a configuration of harmless settings only: a planted configuration, hook or filter cannot run anything.
 */
export async function withRepository<T>(
  folder: string,
  env: GitPlace['env'],
  work: (repository: Repository) => Promise<Result<T>>,
): Promise<Result<T>> {
  const found = await locate(folder);
  if (!found.ok) return found;
  const { gitDir, realCommon } = found.value;
  const safe = (await isSafe(gitDir)) && (gitDir === realCommon || (await isSafe(realCommon)));
  if (!safe) return fail('denied', 'git_unsafe');
  const settings = [
    ...(await settingsOf(join(realCommon, 'config'))),
    ...(await settingsOf(join(gitDir, 'config.worktree'))),
  ];
  const unknown = settings.find(({ key }) => key.startsWith('extensions.') && !KNOWN_EXTENSION.test(key));
  if (unknown !== undefined) return fail('unsupported', 'git_extension', { name: unknown.key });
  const common = await mkdtemp(join(tmpdir(), 'deepdesk-git-'));
  try {
    await fill(common, realCommon, settings);
    const ignored = [...new Set(settings.filter(isIgnored).map(({ key }) => key))];
    return await work({ worktree: folder, gitDir, common, realCommon, env, settings, ignored });
  } finally {
    await removeTree(common);
  }
}

async function locate(folder: string): Promise<Result<{ gitDir: string; realCommon: string }>> {
  const dotGit = join(folder, '.git');
  const stats = await lstat(dotGit).catch(() => null);
  if (stats?.isDirectory()) return ok({ gitDir: dotGit, realCommon: dotGit });
  if (!stats?.isFile()) return fail('not_found', 'git_no_repository');
  const pointer = /^gitdir: (.+)$/m.exec(await textOf(folder, '.git'))?.[1];
  if (pointer === undefined) return fail('not_found', 'git_no_repository');
  const gitDir = resolve(folder, pointer.trim());
  // Its repository names a worktree or submodule too. Otherwise any folder could pose as the worktree of another repository.
  const back = (await textOf(gitDir, 'gitdir')).trim();
  if (back === '') {
    const own = (await settingsOf(join(gitDir, 'config'))).findLast(
      ({ key }) => key === 'core.worktree',
    )?.value;
    const isOwn = own !== undefined && (await real(resolve(gitDir, own))) === (await real(folder));
    return isOwn ? ok({ gitDir, realCommon: gitDir }) : fail('denied', 'git_unsafe');
  }
  if ((await real(resolve(gitDir, back))) !== (await real(dotGit))) return fail('denied', 'git_unsafe');
  const common = (await textOf(gitDir, 'commondir')).trim();
  return common === '' ? fail('denied', 'git_unsafe') : ok({ gitDir, realCommon: resolve(gitDir, common) });
}

const real = (path: string) => realpath(path).catch(() => null);

async function textOf(root: string, name: string): Promise<string> {
  const read = await readRegularText(join(root, name), { root, links: 'none', maxBytes: MAX_TEXT });
  return isRefused(read) ? '' : read.text;
}

/** Git would write through a link to a file elsewhere. */
async function isSafe(git: string): Promise<boolean> {
  let left = MAX_CHECKED;
  const check = async (folder: string, isDeep: boolean): Promise<boolean> => {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    left -= entries.length;
    if (left < 0 || entries.some((entry) => entry.isSymbolicLink())) return false;
    for (const entry of entries) {
      const isRead = isDeep || entry.name === 'refs' || entry.name === 'logs' || entry.name === 'info';
      if (entry.isDirectory() && isRead && !(await check(join(folder, entry.name), true))) return false;
    }
    return true;
  };
  return check(git, false);
}

async function fill(common: string, realCommon: string, settings: readonly GitSetting[]): Promise<void> {
  for (const name of SHARED) await symlink(join(realCommon, name), join(common, name));
  await mkdir(join(common, 'info'));
  for (const name of ['exclude', 'attributes'])
    await writeFile(join(common, 'info', name), await textOf(realCommon, join('info', name)));
  const hasFormat = settings.some(({ key }) => key === 'extensions.objectformat');
  const harmless = settings.filter(isHarmless);
  const lines = harmless.map(({ key, value }) => settingLine(key, value));
  const head = `[core]\n\trepositoryformatversion = ${hasFormat ? 1 : 0}\n\tbare = false\n`;
  await writeFile(join(common, 'config'), `${head}${lines.join('')}`, { mode: 0o600 });
}

/** `a.b.c` as a section with a name. Subsections may hold dots. */
function settingLine(key: string, value: string): string {
  const first = key.indexOf('.');
  const last = key.lastIndexOf('.');
  const section = key.slice(0, first);
  const sub = first === last ? '' : ` ${quoted(key.slice(first + 1, last))}`;
  return `[${section}${sub}]\n\t${key.slice(last + 1)} = ${quoted(value)}\n`;
}

const quoted = (text: string) =>
  `"${text
    .replaceAll(/[\\"]/g, '\\$&')
    .replaceAll('\n', '\\n')
    .replaceAll(/[\0\r]/g, '')}"`;

/** The hooks folder of the repository, wherever its configuration puts it. */
export function hooksFolder({ settings, realCommon, worktree }: Repository): string {
  const set = settings.findLast(({ key }) => key === 'core.hookspath')?.value;
  return set ? resolve(worktree, set) : join(realCommon, 'hooks');
}
