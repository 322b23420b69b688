import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { CommandSandbox } from '../../harness/backends/commands';
import type { SandboxFound } from '../../harness/sandbox';
import {
  type Change,
  type Conflict,
  chosenChanges,
  type Entry,
  type Manifest,
} from '../../harness/sandbox/rehearsal';
import type { RehearsalEngine } from '../project/rehearsals/rehearsal-engine';

/** Where a layer's command runs, and the folder's earlier content. */
const placesOf = (layersFolder: string, layer: string) => {
  const place = join(layersFolder, layer);
  return { place, merged: join(place, 'merged'), base: join(place, 'base'), file: join(place, 'manifest') };
};

/**
 * Layers that are plain copies of the folder, for tests of the code above them. They work for any user on any file system
 * and confine nothing. A command that prints `unreachable` counts as refused by the network, and one that prints
 * `cross-device link` as one that a layer cannot run.
 */
function copiedLayers(more: Partial<RehearsalEngine> = {}): RehearsalEngine {
  return {
    canRehearse: async () => ({ available: true }),
    rehearse: async (options) => {
      const { layersFolder, layer, sandbox, run, signal } = options;
      const { merged, base, place, file } = placesOf(layersFolder, layer);
      for (const copy of [merged, base])
        cpSync(sandbox.folder, copy, { recursive: true, verbatimSymlinks: true });
      const began = performance.now();
      const ended = await run(startingIn(merged), signal ?? new AbortController().signal);
      const changes = changesBetween(base, merged);
      const git = changes.some((change) => change.git !== undefined)
        ? [{ path: '.git', facts: [factOf(changes)] }]
        : [];
      const manifest: Manifest = {
        hash: createHash('sha256').update(JSON.stringify(changes)).digest('hex'),
        place,
        layer,
        folder: sandbox.folder,
        changes,
        git,
      };
      writeFileSync(file, JSON.stringify(manifest));
      const refused = /unreachable/.test(ended.output)
        ? [{ what: 'network' as const, name: 'unreachable' }]
        : [];
      const { durationMs = performance.now() - began } = ended;
      const unfit = /cross-device link/.test(ended.output) ? { unfit: 'rename' as const } : {};
      return { ...ended, refused, durationMs, manifest, ...unfit };
    },
    readManifest: async (layersFolder, layer) => {
      const { file } = placesOf(layersFolder, layer);
      return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Manifest) : null;
    },
    rowsOf: ({ changes }) => [...changes],
    readChange: async ({ place }, path) => {
      const read = (side: string) => {
        const file = join(place, side, path);
        return existsSync(file) && lstatSync(file).isFile() ? readFileSync(file) : undefined;
      };
      const [before, after] = [read('base'), read('merged')];
      return { ...(before && { before }), ...(after && { after }) };
    },
    conflictsIn: async (manifest) => conflictsOf(manifest),
    keep: async (manifest, choice = {}, { applied } = {}) => {
      const { hunks = {} } = choice;
      const conflicts = conflictsOf(manifest);
      const isFree = ({ path }: Change) => !conflicts.some((conflict) => conflict.path === path);
      const kept = chosenChanges(manifest, choice).filter(isFree);
      for (const { path, after } of kept) put(manifest, path, after, hunks[path]);
      const result = { kept: kept.map(({ path }) => path), conflicts };
      if (kept.length > 0) await applied?.(result);
      return result;
    },
    discard: async ({ place }) => rmSync(place, { recursive: true, force: true }),
    recoverKeeps: async () => [],
    sweep: async (layersFolder, keep) => {
      if (!existsSync(layersFolder)) return;
      for (const name of readdirSync(layersFolder))
        if (!keep.has(name)) rmSync(join(layersFolder, name), { recursive: true, force: true });
    },
    ...more,
  };
}

/** Never started: copied layers run their commands without it. */
const FOUND: SandboxFound = { kind: 'bubblewrap', program: '/nowhere/bwrap', bridge: null };

/** A host whose commands run in copied layers, on any machine. */
export const inCopies = (more?: Partial<RehearsalEngine>) => ({ sandbox: FOUND, layers: copiedLayers(more) });

const startingIn = (folder: string): CommandSandbox => ({
  enter: async () => ({
    wrap: ({ file, args }) => ({
      file: '/bin/sh',
      args: ['-c', 'cd "$1" && shift && exec "$@"', 'sh', folder, file, ...args],
    }),
    leave: async () => ({ note: null, refused: [] }),
  }),
});

function put(
  { place, folder }: Manifest,
  path: string,
  after: Entry | undefined,
  text?: string | Uint8Array,
) {
  const target = join(folder, path);
  if (after === undefined) return rmSync(target, { recursive: true, force: true });
  if (after.type === 'folder') {
    if (entryAt(target)?.type === 'file') rmSync(target);
    return void mkdirSync(target, { recursive: true });
  }
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, text ?? readFileSync(join(place, 'merged', path)));
  chmodSync(target, after.mode);
}

const conflictsOf = ({ changes, folder }: Manifest): Conflict[] =>
  changes.flatMap(({ path, before }) => {
    const isAlike = JSON.stringify(entryAt(join(folder, path))) === JSON.stringify(before);
    return isAlike ? [] : [{ path, reason: 'changed' as const }];
  });

const factOf = (changes: readonly Change[]) =>
  changes.some(({ path, kind }) => path === '.git' && kind === 'deleted')
    ? { what: 'deleted' as const }
    : { what: 'files' as const, count: changes.filter(({ git }) => git !== undefined).length };

function changesBetween(base: string, merged: string): Change[] {
  const [old, now] = [entriesBelow(base), entriesBelow(merged)];
  const paths = [...new Set([...old.keys(), ...now.keys()])].toSorted();
  return paths.flatMap((path): Change[] => {
    const [before, after] = [old.get(path), now.get(path)];
    if (JSON.stringify(before) === JSON.stringify(after)) return [];
    const kind = before === undefined ? 'created' : after === undefined ? 'deleted' : 'changed';
    const isGit = path === '.git' || path.startsWith('.git/');
    return [
      {
        path,
        kind,
        ...(before && { before }),
        ...(after && { after }),
        ...(isGit ? { git: '.git', protected: true as const } : {}),
        ...(path.startsWith('cache/') || path === 'cache' ? { ignored: true as const } : {}),
      },
    ];
  });
}

function entriesBelow(folder: string, way = ''): Map<string, Entry> {
  const found = new Map<string, Entry>();
  for (const name of readdirSync(join(folder, way)).toSorted()) {
    const path = way === '' ? name : `${way}/${name}`;
    const entry = entryAt(join(folder, path));
    if (entry === undefined) continue;
    found.set(path, entry);
    if (entry.type === 'folder') for (const [below, one] of entriesBelow(folder, path)) found.set(below, one);
  }
  return found;
}

function entryAt(file: string): Entry | undefined {
  // Below a file, there is nothing either.
  if (!lstatSync(dirname(file), { throwIfNoEntry: false })?.isDirectory()) return undefined;
  const stat = lstatSync(file, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  const mode = stat.mode & 0o777;
  if (stat.isDirectory()) return { type: 'folder', size: 0, mode };
  if (stat.isSymbolicLink()) return { type: 'link', size: 0, mode, target: readlinkSync(file) };
  const sha256 = createHash('sha256').update(readFileSync(file)).digest('hex');
  return { type: 'file', size: stat.size, mode, sha256 };
}
