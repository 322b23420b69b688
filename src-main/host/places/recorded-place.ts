import type { PathChange } from '../../changes';
import { type FileState, sameState } from '../../contract/changes';
import { optional } from '../../contract/shared/optional';
import type { BackendProtocol, CallOptions, WriteOptions } from '../../harness';
import { isUnmet } from '../../harness/backends/checked-change';
import { TOOLS } from '../../harness/tools/catalogue';
import type { PathState } from '../../storage/place-writes';
import { ABSENT, type KeepContent, stateIn } from './place-states';

/** Maximum number of files of a deleted folder that are kept. */
const MAX_FILES = 200;
/** Maximum number of folders listed for that. */
const MAX_FOLDERS = 100;

export interface PlaceRecording {
  keep: KeepContent;
  /** Records what a call may change, so that a kill in between does not lose what was there. Paths are those of the tools. */
  begin(callId: string, tool: string, before: readonly PathState[]): void;
  /** Records what a call changed. Paths are those of the tools. */
  record(callId: string, tool: string, changes: readonly PathChange[]): Promise<void>;
  /** Receives bugs that were caught at a boundary. */
  report(error: unknown): void;
}

/**
 * A place that records the changes of calls so that they can be undone. The content before a change is fetched through the
 * backend first. Recording never blocks a call: without it, the change cannot be undone.
 */
export function recordedPlace(
  backend: BackendProtocol,
  mount: string,
  recording: PlaceRecording,
): BackendProtocol {
  const around = async <R extends { error?: string; kind?: string }>(
    tool: string,
    path: string,
    options: WriteOptions | undefined,
    work: () => Promise<R>,
  ): Promise<R> => {
    const callId = options?.author?.callId;
    if (callId === undefined) return work();
    const { signal } = options ?? {};
    const before = await statesBelow(backend, path, recording.keep, optional({ signal })).catch((error) => {
      signal?.throwIfAborted();
      recording.report(error);
    });
    try {
      const states = [...(before ?? [])].map(([at, state]) => ({ path: `${mount}${at}`, before: state }));
      recording.begin(callId, tool, states);
    } catch (error) {
      recording.report(error);
    }
    const result = await work();
    // A failed call may have changed something: only the states tell. But not if somebody else was faster: their change is not ours.
    const recorded = isUnmet(result, options)
      ? recording.record(callId, tool, [])
      : recordChange(before ?? new Map(), callId, tool, path);
    await recorded.catch(recording.report);
    return result;
  };
  const recordChange = async (
    before: ReadonlyMap<string, FileState>,
    callId: string,
    tool: string,
    path: string,
  ) => {
    const changes: PathChange[] = [];
    // Of a folder that is gone, nothing is left: its files need not be asked about one by one.
    const isGone = before.size > 1 && (await stateIn(backend, path, recording.keep))?.type === 'absent';
    for (const [at, state] of before.size === 0 ? [[path, UNKNOWN] as const] : before) {
      const after = isGone ? ABSENT : await stateIn(backend, at, recording.keep);
      if (after !== null && !sameState(state, after))
        changes.push({ path: `${mount}${at}`, before: state, after });
    }
    await recording.record(callId, tool, changes);
  };
  const remove = backend.delete?.bind(backend);
  const own: Partial<BackendProtocol> = {
    write: (path, content, options) =>
      around(TOOLS.writeFile.name, path, options, () => backend.write(path, content, options)),
    edit: (path, from, to, all, options) =>
      around(TOOLS.editFile.name, path, options, () => backend.edit(path, from, to, all, options)),
    ...(remove === undefined
      ? {}
      : {
          delete: (path, options) =>
            around(TOOLS.deleteFile.name, path, options, () => remove(path, options)),
        }),
  };
  return new Proxy(backend, {
    get: (target, name) => {
      if (Object.hasOwn(own, name)) return own[name as keyof BackendProtocol];
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** The state before a change that nobody saw. */
const UNKNOWN: FileState = { type: 'file', hash: null, size: 0, mode: 0, mark: 'not read before the change' };

/** The states of a file, or of all files of a folder. */
async function statesBelow(
  backend: BackendProtocol,
  path: string,
  keep: KeepContent,
  options: CallOptions,
): Promise<Map<string, FileState>> {
  const at = path.replace(/(?<=[^/]|^\/)\/+$/, '');
  const state = await stateIn(backend, at, keep, options);
  const states = new Map<string, FileState>();
  if (state === null) return states;
  if (state.type !== 'dir') return states.set(at, state);
  const open = [at];
  for (let listed = 0; open.length > 0 && listed < MAX_FOLDERS; listed += 1) {
    const folder = open.shift() ?? at;
    const found = await backend.ls(folder, { ...options, limit: MAX_FILES });
    for (const entry of found.files ?? []) {
      const plain = entry.path.replace(/\/+$/, '');
      if (entry.is_dir === true) open.push(plain);
      else if (states.size < MAX_FILES)
        states.set(plain, (await stateIn(backend, plain, keep, options)) ?? ABSENT);
      else {
        const mark = `${entry.size ?? ''}-${entry.modified_at ?? ''}`;
        states.set(plain, { type: 'file', hash: null, size: entry.size ?? 0, mode: 0, mark });
      }
    }
  }
  return states;
}
