import { join } from 'node:path';
import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import { parseIndex } from '../../../../base/git-index';
import { readRegular } from '../../../../base/open-regular';
import { isRefused } from '../../../../base/regular-file';
import { hashLengthAt } from './git-index';
import { PARTS } from './layer';
import type { Change, GitFact } from './shapes';

/** Maximum bytes of a git file that is parsed. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Maximum for one commit with its message. */
const MAX_COMMIT_BYTES = 1024 * 1024;

const inflateAsync = promisify(inflate);
/** Maximum number of commits counted. */
const MAX_COMMITS = 1_000;

/** Maximum number of names listed. */
const MAX_NAMES = 20;

/** History, and notes of what git did: nothing in these files is run, and they lead nowhere else. Submodules and worktrees have their own. */
const STORED =
  /^(modules\/.+\/|worktrees\/[^/]+\/)?((objects(?!\/info\/(http-)?alternates$)|refs|logs|lost-found|rr-cache)\/.|([A-Z]+_)*HEAD$|(COMMIT_EDIT|MERGE_|SQUASH_|TAG_EDIT)MSG$|(AUTO_MERGE|MERGE_MODE|MERGE_RR|index|packed-refs|shallow|description|gc\.(pid|log)|info\/refs|NOTES_EDITMSG)$|(sharedindex|BISECT_)[^/]*$)|^hooks\/[^/]+\.sample$/;
/** What a rebase leaves until it ends, with steps that may run something. Removing it runs nothing. */
const STEPS = /^(worktrees\/[^/]+\/)?(rebase-merge|rebase-apply|sequencer)\//;

/** Whether a change inside a repository only stores something. Everything else may be run or loaded by git or its hooks. */
export function isStored(path: string, { before, after }: Pick<Change, 'before' | 'after'>): boolean {
  const isFolder = [before, after].every((entry) => entry === undefined || entry.type === 'folder');
  if (isFolder) return true;
  const isFile = after === undefined ? STEPS.test(path) || STORED.test(path) : STORED.test(path);
  return isFile && (after === undefined || after.type === 'file');
}

/** The meaning of changes in one `.git`. `changes`: only those inside it. */
export async function gitFacts(
  git: string,
  changes: readonly Change[],
  { folder, place }: { folder: string; place: string },
): Promise<GitFact[]> {
  const top = changes.find(({ path }) => path === git);
  if (top?.kind === 'deleted') return [{ what: 'deleted' }];
  if (top?.kind === 'created') return [{ what: 'created' }];
  // A file or a link, which says where the repository is.
  if (top !== undefined && !isStored('', top)) {
    const obeyed: GitFact = { what: 'obeyed', names: ['.git'], count: 1 };
    return top.before?.type === 'folder' ? [{ what: 'deleted' }, obeyed] : [obeyed];
  }
  const inside = changes.map((change) => ({ ...change, path: change.path.slice(git.length + 1) }));
  const changed = new Set(inside.filter(({ after }) => after?.type !== 'folder').map(({ path }) => path));
  const sides: Sides = {
    before: join(folder, git),
    after: join(place, PARTS.upper, git),
    isChanged: (path) => changed.has(path),
  };
  const branches = await refFacts(sides, changed);
  const facts: GitFact[] = [...(await headFacts(sides)), ...branches];
  const isCommitted = branches.some(({ what }) => what === 'commits');
  const staged = isCommitted ? 0 : await stagedIn(sides);
  if (staged > 0) facts.push({ what: 'staged', count: staged });
  if ([...changed].some((path) => CONFIG.test(path))) facts.push({ what: 'config' });
  const obeyed = inside.filter((change) => !isStored(change.path, change)).map(({ path }) => path);
  const hooks = obeyed.filter((path) => path.startsWith('hooks/')).map((path) => path.slice(6));
  if (hooks.length > 0) facts.push({ what: 'hooks', names: hooks.slice(0, MAX_NAMES) });
  const others = obeyed.filter((path) => !path.startsWith('hooks/') && !CONFIG.test(path));
  if (others.length > 0)
    facts.push({ what: 'obeyed', names: others.slice(0, MAX_NAMES), count: others.length });
  if (facts.length === 0) facts.push({ what: 'files', count: changed.size });
  return facts;
}

const CONFIG = /^config(\.worktree)?$/;

interface Sides {
  before: string;
  after: string;
  /** Relative to the `.git`. Unchanged files exist only on the old side. */
  isChanged: (path: string) => boolean;
}

async function headFacts({ before, after, isChanged }: Sides): Promise<GitFact[]> {
  if (!isChanged('HEAD')) return [];
  const [was, is] = [await textOf(before, 'HEAD'), await textOf(after, 'HEAD')];
  if (was === is || is === null) return [];
  return [{ what: 'switched', branch: /^ref: refs\/heads\/(.+)$/m.exec(is)?.[1] ?? is.trim().slice(0, 12) }];
}

async function refFacts(sides: Sides, changed: ReadonlySet<string>): Promise<GitFact[]> {
  const [was, is] = await Promise.all([packedRefs(sides.before), packedAfter(sides)]);
  const names = new Set([...changed].filter((path) => path.startsWith('refs/')));
  for (const name of [...was.keys(), ...is.keys()]) if (was.get(name) !== is.get(name)) names.add(name);
  const facts: GitFact[] = [];
  let tags = 0;
  for (const name of [...names].toSorted()) {
    const from = (await textOf(sides.before, name))?.trim() ?? was.get(name) ?? null;
    const loose = sides.isChanged(name) ? await textOf(sides.after, name) : await textOf(sides.before, name);
    const to = loose?.trim() ?? is.get(name) ?? null;
    if (from === to) continue;
    if (name.startsWith('refs/tags/')) tags += 1;
    else if (name === 'refs/stash') facts.push({ what: 'stash' });
    else if (name.startsWith('refs/heads/'))
      facts.push(await branchFact(sides.after, name.slice('refs/heads/'.length), from, to));
  }
  return tags === 0 ? facts : [...facts, { what: 'tags', count: tags }];
}

async function branchFact(
  after: string,
  branch: string,
  from: string | null,
  to: string | null,
): Promise<GitFact> {
  if (to === null) return { what: 'branch', branch, change: 'deleted' };
  const count = await newCommits(after, from, to);
  if (count > 0) return { what: 'commits', branch, count };
  return { what: 'branch', branch, change: from === null ? 'created' : 'moved' };
}

/** Commits from `to` back to `from` that the command created as loose objects; 0 if `from` is not reached. */
async function newCommits(git: string, from: string | null, to: string): Promise<number> {
  const seen = new Set<string>();
  const left = [to];
  let isReached = from === null;
  for (let id = left.pop(); id !== undefined && seen.size < MAX_COMMITS; id = left.pop()) {
    if (id === from) isReached = true;
    if (id === from || seen.has(id)) continue;
    const parents = await parentsOf(git, id);
    if (parents === null) continue;
    seen.add(id);
    left.push(...parents);
  }
  return isReached ? seen.size : 0;
}

/** Null if there is no such new commit. */
async function parentsOf(git: string, id: string): Promise<string[] | null> {
  if (!/^[0-9a-f]{40,64}$/.test(id)) return null;
  const packed = await bytesOf(join(git, 'objects'), `${id.slice(0, 2)}/${id.slice(2)}`);
  if (packed === null) return null;
  try {
    const text = (await inflateAsync(packed, { maxOutputLength: MAX_COMMIT_BYTES })).toString('latin1');
    if (!text.startsWith('commit ')) return null;
    const head = text.slice(text.indexOf('\0') + 1).split('\n\n', 1)[0] ?? '';
    return [...head.matchAll(/^parent ([0-9a-f]+)$/gm)].map(([, parent = '']) => parent);
  } catch {
    // Not a git object.
    return null;
  }
}

async function packedRefs(git: string): Promise<Map<string, string>> {
  const text = (await textOf(git, 'packed-refs')) ?? '';
  const refs = new Map<string, string>();
  for (const [, id = '', name = ''] of text.matchAll(/^([0-9a-f]{40,64}) (refs\/.+)$/gm)) refs.set(name, id);
  return refs;
}

const packedAfter = ({ before, after, isChanged }: Sides) =>
  packedRefs(isChanged('packed-refs') ? after : before);

/** Files whose index entry changed. */
async function stagedIn({ before, after, isChanged }: Sides): Promise<number> {
  if (!isChanged('index')) return 0;
  const hashLength = await hashLengthAt(before);
  const [was, is] = await Promise.all([before, after].map((git) => indexOf(git, hashLength)));
  if (is == null) return 0;
  const known = was ?? new Map<string, string>();
  const touched = [...is].filter(([path, state]) => known.get(path) !== state).length;
  return touched + [...known.keys()].filter((path) => !is.has(path)).length;
}

async function indexOf(git: string, hashLength: number): Promise<Map<string, string> | null> {
  const bytes = await bytesOf(git, 'index');
  const entries = bytes === null ? null : parseIndex(bytes, hashLength);
  return entries === null ? null : new Map(entries.map((one) => [one.path, `${one.mode} ${one.hash}`]));
}

const textOf = async (git: string, path: string) => (await bytesOf(git, path))?.toString('utf8') ?? null;

async function bytesOf(git: string, path: string): Promise<Buffer | null> {
  const bytes = await readRegular(join(git, path), { root: git, links: 'none', maxBytes: MAX_BYTES });
  return isRefused(bytes) ? null : bytes;
}
