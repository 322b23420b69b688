import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { flushFolder } from '../../../../base/replace-file';
import { optional } from '../../../../contract/shared/optional';
import { newTemporaryName, release } from '../../../backends/disk/temporaries';
import { withAttributes } from '../layer/attributes';
import { saveBase } from '../layer/base';
import type { Recorded } from '../layer/compare';
import { inParallel, linkedMarkOf, markOf, statAgain, statAt, whoOf } from '../layer/entry';
import { depthOf } from '../layer/folders-above';
import { PARTS } from '../layer/layer';
import { loadManifest, type StoredManifest } from '../layer/manifest';
import {
  type Choice,
  type Conflict,
  type KeepJournal,
  type KeepResult,
  LayerChanged,
  type Manifest,
} from '../layer/shapes';
import { HeldFolders } from './apply';
import { chosenChanges, withoutKeptFolders } from './choose';
import { conflictsAgain, conflictsAmong } from './conflicts';
import { finish, removeStaging } from './finish';
import { hasItsFolder, type KeepRecord, type Op, readRecord, removeRecord, writeRecord } from './journal';
import { aroundLocked } from './locked-folders';
import { movable } from './move';
import { flushInLayer, flushStaged, keptMode, stage } from './stage';

/**
 * Applies the chosen changes to the folder and runs nothing. Conflicting changes are left out, a `.git` as a whole. If the
 * process ends during it, `recoverKeeps` makes it all or nothing. Rejects if the layer does not match the manifest.
 */
export async function keep(
  manifest: Manifest,
  choice: Choice = {},
  journal: KeepJournal = {},
): Promise<KeepResult> {
  const stored = await loadManifest(manifest.place);
  if (stored === null || stored.hash !== manifest.hash) throw new LayerChanged();
  const interrupted = await readRecord(stored.place);
  const applied = told(journal);
  if (interrupted !== null && (await hasItsFolder(interrupted))) {
    // Its folder was not there at the last start.
    if (interrupted.phase === 'applying') return finish(interrupted, stored.place, optional({ applied }));
    await removeStaging(interrupted);
  }
  const chosen = chosenChanges(stored, choice);
  const conflicts = await conflictsAmong(chosen, stored);
  const free = withoutConflicts(stored, chosen, conflicts);
  if (free.length === 0) return { kept: [], conflicts };
  const planned = await plan(stored, free);
  const record: KeepRecord = {
    phase: 'staging',
    folder: stored.folder,
    identity: await identityFor(stored.folder),
    staging: newTemporaryName(`keep-${randomUUID().slice(0, 8)}`),
    ops: planned.ops,
  };
  try {
    return await keepPlanned(stored, planned, record, { choice, journal, conflicts });
  } finally {
    release(record.staging);
  }
}

const told = (journal: KeepJournal): KeepJournal['applied'] => journal.applied?.bind(journal);

async function identityFor(folder: string): Promise<string> {
  const stats = await statAt(folder);
  if (stats?.isDirectory() !== true) throw new Error('The folder no longer exists.');
  return whoOf(stats);
}

function withoutConflicts(
  { changes }: StoredManifest,
  chosen: readonly Recorded[],
  conflicts: readonly Conflict[],
): Recorded[] {
  const left = new Set(conflicts.map(({ path }) => path));
  return withoutKeptFolders(changes, new Set(chosen.filter(({ path }) => !left.has(path))));
}

interface Planned {
  changes: readonly Recorded[];
  ops: Op[];
}

/** The operations for each change, in order, with the previous contents saved. */
async function plan({ folder, place }: StoredManifest, changes: readonly Recorded[]): Promise<Planned> {
  const saved = await inParallel(changes, async (found) => {
    // Nothing was there a moment ago. What has appeared since is a conflict later.
    if (found.was === null && found.before === undefined) return found;
    const stats = await statAgain(`${folder}/${found.path}`);
    // A different time alone was not a conflict so far; from here on it is.
    const change = { ...found, was: stats === null ? null : markOf(stats) };
    if (change.before?.type !== 'file' || change.saved !== undefined) return change;
    const name = await saveBase(change, folder, place);
    return name === null ? change : { ...change, saved: name };
  });
  const replaced = saved.filter(({ before, after }) => before?.type === 'file' && after?.type === 'file');
  const marked = await withAttributes(replaced.map(({ path }) => `${folder}/${path}`));
  const special = new Set(replaced.filter((_, index) => marked[index]).map(({ path }) => path));
  const linked = await inParallel(saved, async (change): Promise<Recorded> => {
    const stats = change.before?.type === 'file' ? await statAgain(`${folder}/${change.path}`) : null;
    if (stats === null || stats.nlink <= 1n) return change;
    special.add(change.path);
    return { ...change, was: linkedMarkOf(stats) };
  });
  const times = await timesOfNewFolders(saved, place);
  const { opening, locking } = await aroundLocked(saved, folder);
  return { changes: saved, ops: [...opening, ...orderedOps(linked, special, times), ...locking] };
}

async function timesOfNewFolders(changes: readonly Recorded[], place: string): Promise<Map<string, number>> {
  const made = changes.filter(({ before, after }) => after?.type === 'folder' && before?.type !== 'folder');
  const times = await inParallel(made, async ({ path }): Promise<[string, number][]> => {
    const stats = await statAt(join(place, PARTS.upper, path));
    return stats === null ? [] : [[path, Number(stats.mtimeNs) / 1e9]];
  });
  return new Map(times.flat());
}

/**
 * First the removals that free a path for another type, then additions from the top down, and last removals from the bottom
 * up. If the order allows it, similar operations follow each other, so that they run at the same time.
 */
function orderedOps(
  changes: readonly Recorded[],
  special: ReadonlySet<string>,
  times: ReadonlyMap<string, number>,
): Op[] {
  const typed = changes.filter(({ kind }) => kind === 'type').map(({ path }) => path);
  const makesRoom = (path: string) => typed.some((one) => path === one || path.startsWith(`${one}/`));
  const first: Op[] = [];
  const made: Op[] = [];
  const last: Op[] = [];
  const modes: Op[] = [];
  for (const [index, change] of changes.entries()) {
    const { path, before, after } = change;
    const isFolderGone = before?.type === 'folder' && after?.type !== 'folder';
    const isReplaced = change.kind === 'type' && (isFolderGone || after?.type === 'folder');
    if (after === undefined || isReplaced)
      (makesRoom(path) ? first : last).unshift({
        path,
        what: isFolderGone ? 'remove-folder' : 'remove',
        was: change.was,
      });
    if (after === undefined) continue;
    const was = isReplaced ? null : change.was;
    if (after.type === 'folder') {
      if (before?.type === 'folder') modes.unshift({ path, what: 'mode', mode: after.mode, was });
      else {
        made.push({ path, what: 'folder', mode: keptMode(change), was });
        const mtime = times.get(path);
        // Filling a folder changes its time and needs its mode.
        modes.unshift({
          path,
          what: 'mode',
          mode: after.mode,
          was: null,
          ...optional({ mtime }),
        });
      }
    } else if (change.kind === 'mode') made.push({ path, what: 'mode', mode: keptMode(change), was });
    else {
      const what = special.has(path) ? 'write' : 'put';
      const saved = what === 'write' && change.saved !== undefined ? { saved: change.saved } : {};
      made.push({ path, what, stage: String(index), was, ...saved });
    }
  }
  return [...fromBottom(first), ...fromTop(made), ...fromBottom(last), ...fromBottom(modes)];
}

const fromTop = (ops: readonly Op[]): Op[] =>
  byRank(ops, ({ what, path }) => (what === 'folder' ? depthOf(path) : Number.POSITIVE_INFINITY));

const fromBottom = (ops: readonly Op[]): Op[] =>
  byRank(ops, ({ what, path }) => (what === 'remove' ? Number.NEGATIVE_INFINITY : -depthOf(path)));

function byRank(ops: readonly Op[], rankOf: (op: Op) => number): Op[] {
  const ranked = ops.map((op) => ({ op, rank: rankOf(op) }));
  return ranked.toSorted((a, b) => (a.rank === b.rank ? 0 : a.rank - b.rank)).map(({ op }) => op);
}

async function keepPlanned(
  stored: StoredManifest,
  { changes }: Planned,
  record: KeepRecord,
  { choice, journal, conflicts }: { choice: Choice; journal: KeepJournal; conflicts: Conflict[] },
): Promise<KeepResult> {
  const { place } = stored;
  await writeRecord(place, record);
  let staged: Op[] = [];
  try {
    staged = await stageAll(stored, changes, record, choice);
    await journal.prepared?.(
      changes.map(({ path, before, after, saved }) => ({
        path,
        ...optional({ before, after }),
        ...(saved === undefined ? {} : { saved: join(place, saved) }),
      })),
    );
    const late = await conflictsAgain(changes, stored);
    if (late.length > 0) {
      await removeStaging(record);
      await removeRecord(place);
      return { kept: [], conflicts: [...conflicts, ...late] };
    }
  } catch (error) {
    await removeStaging(record);
    await removeRecord(place);
    throw error;
  }
  const applying: KeepRecord = { ...record, phase: 'applying', ops: staged };
  await writeRecord(place, applying);
  return finish(applying, place, { before: conflicts, ...optional({ applied: told(journal) }) });
}

/** Writes to disk what the folder gets, and returns the operations that put it there. */
async function stageAll(
  stored: StoredManifest,
  changes: readonly Recorded[],
  record: KeepRecord,
  { hunks = {} }: Choice,
): Promise<Op[]> {
  const { place, folder } = stored;
  const folders = new HeldFolders(folder);
  try {
    const top = await folders.parentOf(record.staging);
    if (typeof top === 'string') throw new Error('The folder no longer exists.');
    await mkdir(top.child(record.staging), { mode: 0o700 });
    const into = await folders.parentOf(`${record.staging}/x`);
    if (typeof into === 'string') throw new Error('The folder no longer exists.');
    const byPath = new Map(changes.map((change) => [change.path, change]));
    const put = record.ops.flatMap(({ what, path }) => (what === 'put' ? (byPath.get(path) ?? []) : []));
    const moved = await movable(
      put.filter(({ path }) => !Object.hasOwn(hunks, path)),
      { place, folder, into },
    );
    const staged = await inParallel(record.ops, async ({ path, stage: name }) => {
      const change = byPath.get(path);
      if (name === undefined || change === undefined || moved.has(path)) return null;
      const own = Object.hasOwn(hunks, path) ? hunks[path] : undefined;
      return stage(change, own, { place, folder, into, name });
    });
    await flushStaged(
      into,
      staged.filter((one) => one !== null),
    );
    await flushInLayer(place, moved);
    await flushFolder(into.child('.'));
    return record.ops.map(({ stage: name, ...op }) =>
      moved.has(op.path) && op.what === 'put'
        ? { ...op, inLayer: true }
        : { ...op, ...optional({ stage: name }) },
    );
  } finally {
    await folders.close();
  }
}
