import type { EngineApi, PathChange } from '../../changes';
import { type FileState, UNREACHABLE } from '../../contract/changes';
import type { BackendProtocol } from '../../harness';
import { ABSENT, applyIn, stateIn } from './place-states';

/** The backend of a path in a place, for the project with that folder; null if there is no such place. */
export type ResolvePlace = (
  folder: string,
  path: string,
) => { backend: BackendProtocol; inner: string } | null;

/** Paths in places are absolute, all others relative to the folder. */
const isInPlace = (path: string): boolean => path.startsWith('/');

const GONE = 'the place is gone';

/**
 * The engine that also knows paths in places. Changes there are recorded with their calls and not found by scans, so only
 * the current states and reverts differ.
 */
export function engineWithPlaces(engine: EngineApi, resolve: ResolvePlace): EngineApi {
  const keep = (bytes: Uint8Array) => engine.keep(bytes);
  const contents = { keep, get: (hash: string) => engine.content(hash) };
  const stateOf = async (folder: string, path: string): Promise<FileState> => {
    const at = resolve(folder, path);
    const state = at === null ? null : await stateIn(at.backend, at.inner, keep);
    return state ?? UNREACHABLE;
  };
  const apply = async (folder: string, step: PathChange) => {
    const at = resolve(folder, step.path);
    const result =
      at === null
        ? { outcome: 'failed' as const, detail: GONE }
        : await applyIn(at.backend, at.inner, step, contents);
    return { path: step.path, ...result };
  };
  return {
    open: (folder) => engine.open(folder),
    scan: (folder, { named, ...options }) =>
      engine.scan(
        folder,
        named === undefined ? options : { ...options, named: named.filter((path) => !isInPlace(path)) },
      ),
    release: (folder, claim) => engine.release(folder, claim),
    states: async (folder, paths) => {
      const own = paths.filter((path) => !isInPlace(path));
      const states = own.length === 0 ? [] : await engine.states(folder, own);
      const known = new Map(own.map((path, index) => [path, states[index] ?? ABSENT]));
      return Promise.all(paths.map((path) => known.get(path) ?? stateOf(folder, path)));
    },
    diff: (...args) => engine.diff(...args),
    withoutHunk: (...args) => engine.withoutHunk(...args),
    apply: async (folder, revertId, steps) => {
      const own = steps.filter(({ path }) => !isInPlace(path));
      const done = own.length === 0 ? [] : await engine.apply(folder, revertId, own);
      for (const step of steps) if (isInPlace(step.path)) done.push(await apply(folder, step));
      return done;
    },
    usage: () => engine.usage(),
    setBudget: (bytes) => engine.setBudget(bytes),
    planSweep: (rows) => engine.planSweep(rows),
    sweep: (hashes) => engine.sweep(hashes),
    keep,
    content: contents.get,
    close: () => engine.close(),
  };
}
