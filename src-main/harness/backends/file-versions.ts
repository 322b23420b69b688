import { optional } from '../../contract/shared/optional';
import { isConditional, isUnmet } from './checked-change';
import { type Failure, failure, isFailure, staleFailure } from './failure';
import { withLock } from './locks';
import { checkPath } from './paths';
import type { BackendProtocol, WriteOptions } from './protocol';
import { runContext, runFunction } from './run-context';

/** Key in the thread's state. Private: neither passed in nor returned, and a sub-agent has its own. */
export const FILE_VERSIONS = '_fileVersions';

/** Maximum files remembered. The ones seen longest ago are dropped and count as never read. */
const MAX_FILES = 2_000;
/** Steps kept in memory. More than can run at once. */
const MAX_STEPS = 1_000;

/** A path and its last seen version: '' if the backend has none, null to forget. */
export type VersionsUpdate = Record<string, string | null>;

/** The channel's reducer: the last seen goes last. Never changes its arguments. */
export function versionsReducer(
  current: Record<string, string> | undefined,
  update: VersionsUpdate | undefined,
): Record<string, string> {
  const merged = new Map(Object.entries(current ?? {}));
  for (const [path, version] of Object.entries(update ?? {})) {
    merged.delete(path);
    if (version !== null) merged.set(path, version);
  }
  return Object.fromEntries([...merged].slice(-MAX_FILES));
}

let made = 0;

/** The version of each file that one agent of one thread has seen, by reading or writing it itself. */
export interface FileVersions {
  /** The agent was shown the file, or a page of it. */
  saw(path: string, version: string | undefined): void;
  /** The path is gone, with everything below it. */
  forget(path: string): void;
  /**
   * Why a change does not even start: `stale` if the file differs from what the agent has seen, or if the agent never saw it
   * and must have (an edit with `requireRead`), which is `unread`. Otherwise null. `path` is as the model wrote it.
   */
  refusal(
    how: 'write' | 'edit',
    path: unknown,
    signal?: AbortSignal,
  ): Promise<(Failure & { kind: 'stale'; unread?: true }) | null>;
  /**
   * Makes one change, after the agent's other changes to that file and on exactly the version it has seen. What the person
   * approved counts instead. A file that neither has seen must stay as it is until it is written: what another program puts there
   * meanwhile is in no record. Remembers the resulting version.
   */
  change<R extends { error?: string; kind?: string; version?: string }>(
    how: 'write' | 'edit',
    path: string,
    options: WriteOptions,
    work: (options: WriteOptions) => Promise<R>,
  ): Promise<R | Failure>;
  /** Deletes what is at a path now, or the version that the person approved, and forgets it. */
  remove<R extends { error?: string; kind?: string }>(
    path: string,
    options: WriteOptions,
    work: (options: WriteOptions) => Promise<R>,
  ): Promise<R | Failure>;
}

/**
 * Versions are kept in the thread's state, so they survive restarts. A step's versions are also kept in memory, since the
 * calls of one answer run in parallel and do not see each other's state. Only for that step: one agent may serve many
 * threads at once.
 */
export function createFileVersions(options: {
  /** The backend of the agent's file tools. */
  backend: BackendProtocol;
  /** The agent must have read or written a file before it may edit it. Default false, like the published tools. */
  requireRead?: boolean;
}): FileVersions {
  const { backend, requireRead = false } = options;
  const steps = new Map<string, Map<string, string | null>>();
  /** What the calls of the step that is running have seen. */
  const latest = () => {
    const step = stepNow();
    const known = steps.get(step) ?? new Map<string, string | null>();
    steps.set(step, known);
    for (const oldest of steps.keys()) {
      if (steps.size <= MAX_STEPS) break;
      steps.delete(oldest);
    }
    return known;
  };
  // The process shares its locks. Each agent has its own prefix.
  const own = `versions ${++made}`;

  const note = (path: string, version: string | null) => {
    latest().set(path, version);
    runFunction('__pregel_send')?.([[FILE_VERSIONS, { [path]: version }]]);
  };
  /** Undefined: never seen. */
  const seen = (path: string): string | undefined => {
    const now = latest().get(path);
    return now === undefined ? savedVersions()[path] : (now ?? undefined);
  };
  const versionNow = async (path: string, signal?: AbortSignal) => {
    const page = await backend.read(path, 0, 1, signal === undefined ? {} : { signal });
    return page.error === undefined ? { exists: true, version: page.version } : { exists: false };
  };

  const versions: FileVersions = {
    saw(path, version) {
      const at = checkPath(path);
      if (!isFailure(at)) note(at.path, version ?? '');
    },
    forget(path) {
      const at = checkPath(path);
      if (isFailure(at)) return;
      const known = new Set([...latest().keys(), ...Object.keys(savedVersions())]);
      for (const one of known) if (one === at.path || one.startsWith(`${at.path}/`)) note(one, null);
    },
    async refusal(how, path, signal) {
      const at = checkPath(path);
      if (isFailure(at)) return null;
      const known = seen(at.path);
      const mustKnow = requireRead && how === 'edit';
      if (known === '' || (known === undefined && !mustKnow)) return null;
      const now = await versionNow(at.path, signal);
      // The tool itself reports a file that is gone or cannot be read.
      if (!now.exists) return null;
      if (known === undefined) return unread(at.path);
      return now.version === undefined || now.version === known ? null : stale(at.path);
    },
    async change(how, path, given, work) {
      const at = checkPath(path);
      if (isFailure(at)) return work(given);
      return withLock(`${own} ${at.path}`, async () => {
        const known = seen(at.path);
        const isApproved = isConditional(given);
        if (known === undefined && !isApproved) {
          const refused = await versions.refusal(how, at.path, given.signal);
          if (refused !== null) return refused;
        }
        const isUnseen = known === undefined && !isApproved;
        const seenOnly = known === undefined || known === '' ? {} : { expectedVersion: known };
        const expected = isUnseen && how === 'write' ? await asItIs(backend, at.path, given) : seenOnly;
        const bound = isApproved ? given : { ...given, ...expected };
        const result = await work(bound);
        if (isUnseen && isUnmet(result, bound)) return failure('stale', changedNow(at.path));
        if (result.error === undefined) {
          note(at.path, result.version ?? (await versionNow(at.path)).version ?? '');
        } else if (result.kind === 'not_found' && known !== undefined) {
          note(at.path, null);
          if (how === 'write') return failure('not_found', deletedSince(at.path));
        }
        return result;
      });
    },
    async remove(path, given, work) {
      const at = checkPath(path);
      if (isFailure(at)) return work(given);
      return withLock(`${own} ${at.path}`, async () => {
        const isApproved = isConditional(given);
        const { expectedVersion } = isApproved ? given : await asItIs(backend, at.path, given);
        const bound = { ...given, ...optional({ expectedVersion }) };
        const result = await work(bound);
        if (!isApproved && isUnmet(result, bound)) return failure('stale', changedNow(at.path));
        if (result.error === undefined) versions.forget(path);
        return result;
      });
    },
  };
  return versions;
}

/** The condition that a path stays as it is now: none if it cannot be read. */
async function asItIs(
  backend: Pick<BackendProtocol, 'read'>,
  path: string,
  { signal }: WriteOptions,
): Promise<Pick<WriteOptions, 'expectedVersion' | 'createOnly'>> {
  const page = await backend.read(path, 0, 1, optional({ signal }));
  if (page.error === undefined) return optional({ expectedVersion: page.version });
  return page.kind === 'not_found' ? { createOnly: true } : {};
}

/** True if the person has answered and the call resumes: then the version they saw counts. */
export function isTakenUp(): boolean {
  const { __pregel_scratchpad: pad } = runContext().configurable;
  if (typeof pad !== 'object' || pad === null || !('resume' in pad)) return false;
  return Array.isArray(pad.resume) && pad.resume.length > 0;
}

/** The checkpoint that the running step began with: no other step of any thread has it. Empty outside a graph. */
function stepNow(): string {
  const { checkpoint_map: checkpoints, checkpoint_ns: place } = runContext().configurable;
  if (typeof place !== 'string' || typeof checkpoints !== 'object' || checkpoints === null) return '';
  const step: unknown = Reflect.get(checkpoints, place.split('|').slice(0, -1).join('|'));
  return typeof step === 'string' ? step : '';
}

function savedVersions(): Record<string, string> {
  const saved = runFunction('__pregel_read')?.(FILE_VERSIONS, true);
  return typeof saved === 'object' && saved !== null ? (saved as Record<string, string>) : {};
}

const stale = (path: string) => ({ ...staleFailure(path), kind: 'stale' as const });
const unread = (path: string) => ({
  error: `Read it first: '${path}' was not read in this conversation. Then repeat the change.`,
  kind: 'stale' as const,
  unread: true as const,
});
const changedNow = (path: string) =>
  `Another program has just changed '${path}'. Read it, then repeat the change.`;
const deletedSince = (path: string) =>
  `File '${path}' not found: it was deleted since it was read. Write it again to create it again.`;
