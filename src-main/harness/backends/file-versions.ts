import { optional } from '../../contract/shared/optional';
import { isConditional, isUnmet } from './checked-change';
import { type Failure, failure, isFailure, staleFailure } from './failure';
import { withLock } from './locks';
import { checkPath } from './paths';
import type { BackendProtocol, WriteOptions } from './protocol';
import { runContext } from './run-context';
import { SeenVersions } from './seen-versions';

let made = 0;

/** The version of each file that one agent of one thread has seen, by reading or writing it itself. */
export interface FileVersions {
  /** The agent was shown the file, or a page of it. */
  saw(path: string, version: string | undefined): void;
  /** The path is gone, with everything below it. */
  forget(path: string): void;
  /**
   * Why a change does not even start: `stale` if the file differs from what the agent has seen, or if the agent never saw it
   * and must have (with `requireRead`), which is `unread`. Otherwise null. `path` is as the model wrote it.
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

/** The versions that the agent has seen, in the state of the thread that calls. */
export function createFileVersions(options: {
  /** The backend of the agent's file tools. */
  backend: BackendProtocol;
  /**
   * The agent must have read or written a file before it may edit it, or replace what is in it. Default false, like the
   * published tools.
   */
  requireRead?: boolean;
}): FileVersions {
  const { backend, requireRead = false } = options;
  const seen = new SeenVersions();
  // The process shares its locks. Each agent has its own prefix.
  const own = `versions ${++made}`;

  const noteWritten = async (path: string, result: { version?: string | undefined }) =>
    seen.note(path, result.version ?? (await versionNow(backend, path)).version ?? '');

  const versions: FileVersions = {
    saw(path, version) {
      const at = checkPath(path);
      if (!isFailure(at)) seen.note(at.path, version ?? '');
    },
    forget(path) {
      const at = checkPath(path);
      if (!isFailure(at)) seen.forget(at.path);
    },
    async refusal(how, path, signal) {
      const at = checkPath(path);
      if (isFailure(at)) return null;
      const known = seen.of(at.path);
      if (known === '' || (known === undefined && !requireRead)) return null;
      const now = await versionNow(backend, at.path, signal);
      // The tool itself reports a file that is gone or cannot be read.
      if (!now.exists) return null;
      // Replacing an empty file loses nothing.
      if (known === undefined) return how === 'write' && now.isEmpty === true ? null : unread(at.path);
      return now.version === undefined || now.version === known ? null : stale(at.path);
    },
    async change(how, path, given, work) {
      const at = checkPath(path);
      if (isFailure(at)) return work(given);
      return withLock(`${own} ${at.path}`, async () => {
        const known = seen.of(at.path);
        const isApproved = isConditional(given);
        const isUnseen = known === undefined && !isApproved;
        if (isUnseen && how === 'write' && requireRead) {
          const result = await writeUnseen(backend, at.path, given, work);
          if (result.error === undefined) await noteWritten(at.path, result);
          return result;
        }
        if (isUnseen) {
          const refused = await versions.refusal(how, at.path, given.signal);
          if (refused !== null) return refused;
        }
        const seenOnly = known === undefined || known === '' ? {} : { expectedVersion: known };
        const expected = isUnseen && how === 'write' ? await asItIs(backend, at.path, given) : seenOnly;
        const bound = isApproved ? given : { ...given, ...expected };
        const result = await work(bound);
        if (isUnseen && isUnmet(result, bound)) return failure('stale', changedNow(at.path));
        if (result.error === undefined) {
          await noteWritten(at.path, result);
        } else if (result.kind === 'not_found' && known !== undefined) {
          seen.note(at.path, null);
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

async function versionNow(backend: Pick<BackendProtocol, 'read'>, path: string, signal?: AbortSignal) {
  const page = await backend.read(path, 0, 1, optional({ signal }));
  if (page.error !== undefined) return { exists: false };
  return { exists: true, version: page.version, isEmpty: page.content === '' };
}

/** Writes a file that is not there or is empty. The backend answers first, so a path that it protects is not read in vain. */
async function writeUnseen<R extends { error?: string; kind?: string }>(
  backend: Pick<BackendProtocol, 'read'>,
  path: string,
  given: WriteOptions,
  work: (options: WriteOptions) => Promise<R>,
): Promise<R | (Failure & { version?: undefined })> {
  const asNew = { ...given, createOnly: true };
  const made = await work(asNew);
  if (!isUnmet(made, asNew)) return made;
  const now = await versionNow(backend, path, given.signal);
  if (now.isEmpty !== true || now.version === undefined) return now.exists ? unread(path) : made;
  const asItIs = { ...given, expectedVersion: now.version };
  const result = await work(asItIs);
  return isUnmet(result, asItIs) ? failure('stale', changedNow(path)) : result;
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
