import { randomUUID } from 'node:crypto';
import { chmod, lstat, mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { copyOpened } from '../../../base/copy-opened';
import { openRegular } from '../../../base/open-regular';
import { systemPath, textOfLatin1 } from '../../../base/path-names';
import { isRefused } from '../../../base/regular-file';
import type { Difference } from '../../../changes/copies';
import type { FileState } from '../../../contract/changes';
import type { BroughtIn } from '../../../contract/copies';
import { fail, ok, type Result } from '../../../contract/result';
import type { Manifest } from '../../../harness/sandbox/rehearsal';

/** A path to change in the folder. `text`: replaces the copy's content. */
export interface Step {
  difference: Difference;
  text?: string;
}

interface Place {
  folder: string;
  copy: string;
  layersFolder: string;
}

interface Prepared {
  manifest: Manifest;
  /** Paths whose file in the folder or in the copy has changed since it was compared. */
  changed: string[];
  /** Folders that cannot be removed or replaced, because they keep something. */
  full: string[];
}

type KeepAnswer = Awaited<ReturnType<typeof import('../../../harness/sandbox/rehearsal').keep>>;
type Applied = Pick<KeepAnswer, 'kept'> & Pick<BroughtIn, 'left'>;

/** Puts the changes into the folder: all or none. Errors: `storage` if a disk is full. */
export async function bringInAll(
  steps: readonly Step[],
  place: Place,
  recorded: (named: string[], work: () => Promise<KeepAnswer>) => Promise<KeepAnswer>,
): Promise<Result<Applied>> {
  if (steps.length === 0) return ok({ kept: [], left: [] });
  try {
    return ok(await apply(steps, place, recorded));
  } catch (thrown) {
    const { code = '' } = thrown as NodeJS.ErrnoException;
    if (code !== 'ENOSPC' && code !== 'EDQUOT') throw thrown;
    return fail('storage', 'bring_in_disk_full', { folder: place.folder });
  }
}

async function apply(
  steps: readonly Step[],
  place: Place,
  recorded: Parameters<typeof bringInAll>[2],
): Promise<Applied> {
  const { keep, discard, isApplying } = await import('../../../harness/sandbox/rehearsal');
  const { manifest, changed, full } = await prepare(steps, place);
  try {
    const stale = new Set(changed);
    const named = manifest.changes.map(({ path }) => path).filter((path) => !stale.has(path));
    const left: Applied['left'] = [
      ...changed.map((path) => ({ path, reason: 'changed' as const })),
      ...full.map((path) => ({ path, reason: 'conflict' as const })),
    ];
    if (named.length === 0) return { kept: [], left };
    const files = new Set(steps.map(({ difference }) => difference.path));
    const { kept, conflicts } = await recorded(named, () => keep(manifest, { paths: named }));
    return {
      kept: kept.filter((path) => files.has(path)),
      left: [...left, ...conflicts.filter(({ path }) => files.has(path))],
    };
  } finally {
    // Otherwise a part of it is in the folder: the next bring-in or start finishes it.
    if (!(await isApplying(manifest.place))) await discard(manifest);
  }
}

/** Prepares the changes in a layer, with the folders that they need. Nothing in the folder changes. */
async function prepare(steps: readonly Step[], { folder, copy, layersFolder }: Place): Promise<Prepared> {
  const { prepareLayer } = await import('../../../harness/sandbox/rehearsal');
  const { possible, full } = await withoutFullFolders(steps, folder);
  const fill = async (upper: string) => {
    const folders = new Map<string, number>();
    for (const step of possible) {
      const { path, result } = step.difference;
      if (result.type === 'absent') continue;
      for (const above of foldersAbove(path)) {
        await mkdir(systemPath(`${upper}/${above}`), { recursive: true });
        const [there, copied] = await Promise.all([statOf(join(folder, above)), statOf(join(copy, above))]);
        if (there === null && !folders.has(above)) folders.set(above, (copied?.mode ?? 0o755) & 0o777);
      }
      if (result.type !== 'dir') await put(step, copy, systemPath(`${upper}/${path}`));
      else {
        await mkdir(systemPath(`${upper}/${path}`), { recursive: true });
        folders.set(path, result.mode & 0o777);
      }
    }
    // Last: a folder without write permission could not be filled.
    for (const [path, mode] of [...folders].toReversed()) await chmod(systemPath(`${upper}/${path}`), mode);
    return [...new Set([...possible.map(({ difference }) => difference.path), ...folders.keys()])];
  };
  const manifest = await prepareLayer({ layersFolder, layer: randomUUID(), folder, fill });
  return { manifest, changed: changedSince(manifest, possible), full };
}

const statOf = (path: string) => lstat(systemPath(path)).catch(() => null);

async function put({ difference, text }: Step, copy: string, target: string | Buffer): Promise<void> {
  const { path, result } = difference;
  if (result.type === 'link') return symlink(systemPath(result.target), target);
  if (result.type !== 'file') return;
  if (text !== undefined) await writeFile(target, text, { flag: 'wx' });
  else {
    const file = await openRegular(join(copy, path), { root: copy, links: 'none' });
    // Compared as changed afterwards.
    if (isRefused(file)) return;
    try {
      await copyOpened(file, target);
    } finally {
      await file.close();
    }
  }
  await chmod(target, result.mode & 0o777);
}

/** Leaves out removals of folders that keep something: it stays, and so does the folder. */
async function withoutFullFolders(
  steps: readonly Step[],
  folder: string,
): Promise<{ possible: Step[]; full: string[] }> {
  const removed = new Set<string>();
  const possible: Step[] = [];
  const full: string[] = [];
  // From the bottom up.
  for (const step of steps.toSorted((a, b) => (a.difference.path < b.difference.path ? 1 : -1))) {
    const { path, folder: state, result } = step.difference;
    if (state.type === 'dir' && result.type !== 'dir') {
      const names = await readdir(systemPath(join(folder, path)), 'latin1').catch(() => []);
      if (names.some((name) => !removed.has(`${path}/${textOfLatin1(name)}`))) {
        full.push(path);
        continue;
      }
    }
    if (result.type === 'absent') removed.add(path);
    possible.push(step);
  }
  return { possible, full };
}

/** The prepared entries must be the compared ones: somebody may have written to either side in between. */
function changedSince({ changes }: Manifest, steps: readonly Step[]): string[] {
  const byPath = new Map(changes.map((change) => [change.path, change]));
  return steps.flatMap(({ difference: { path, folder, result }, text }) => {
    const change = byPath.get(path);
    const isSame =
      matches(change?.before, folder) && (text !== undefined || matches(change?.after, result, true));
    return isSame ? [] : [path];
  });
}

type Entry = NonNullable<Manifest['changes'][number]['before']>;

function matches(entry: Entry | undefined, state: FileState, isNew = false): boolean {
  if (entry === undefined || state.type === 'absent') return entry === undefined && state.type === 'absent';
  if (state.type === 'dir') return entry.type === 'folder';
  if (state.type === 'link') return entry.type === 'link' && entry.target === state.target;
  return entry.type === 'file' && entry.sha256 === state.hash && (isNew || entry.mode === state.mode);
}

function foldersAbove(path: string): string[] {
  const above: string[] = [];
  for (let at = dirname(path); at !== '.' && at !== '/'; at = dirname(at)) above.unshift(at);
  return above;
}
