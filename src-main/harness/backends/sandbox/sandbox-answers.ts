import { isBelow } from '../../../base/is-below';
import { optional } from '../../../contract/shared/optional';
import type { ExecuteOptions, ExecuteResponse } from '../commands';
import {
  directoryFailure,
  diskFull,
  existsFailure,
  type Failure,
  failure,
  linkRefused,
  notRegular,
  readOnly,
  staleFailure,
} from '../failure';
import { asDirectory, type CheckedPath } from '../paths';
import type { CallOptions, FileInfo } from '../protocol';
import type { SandboxKind } from './sandbox-scripts';

/** The path of a record `./…` from below a directory. */
export const below = (at: CheckedPath, record: string): string =>
  `${asDirectory(at.path)}${record.replace(/^\n?\.\//, '')}`;

/**
 * A `find` pattern that the base name of every match fits, if the last part of a glob is simple enough. No `?`, since `find`
 * may match a byte with it.
 */
export function baseNameOf(glob: string): string | null {
  const base = glob.slice(glob.lastIndexOf('/') + 1);
  return !/[{}\\]/.test(glob) && /^[\w.*-]+$/.test(base) && !base.includes('**') ? base : null;
}

/** Reads a mode from `stat`: hexadecimal, or octal after `o`. */
function isDirectoryMode(mode: string): boolean {
  const bits = mode.startsWith('o') ? Number.parseInt(mode.slice(1), 8) : Number.parseInt(mode, 16);
  return (bits & 0o170000) === 0o040000;
}

/** Why a path cannot be used as the wanted kind. */
export function wrongKind(at: CheckedPath, kind: SandboxKind | null, wanted: 'file' | 'directory'): Failure {
  switch (kind) {
    case 'missing':
      return failure('not_found', `${wanted === 'file' ? 'File' : 'Directory'} '${at.path}' not found`);
    case 'other':
      return notRegular(at.path);
    case 'closed':
      return failure('denied', `Permission denied for '${at.path}' in the sandbox.`);
    case 'file':
      return failure('special', `'${at.path}' is a file, not a directory.`);
    case 'directory':
      return directoryFailure(at.path);
    case null:
      return failure('network', `The sandbox did not answer about '${at.path}'. Try again.`);
  }
}

/** Whether a program says so. */
export const isDiskFull = (reason: string): boolean => /No space left|quota exceeded/i.test(reason);

/**
 * Why a file could not be put in place, from the last record and what the failed program said. Null if it is there.
 */
export function refusal(word: string, at: CheckedPath, reason = ''): Failure | null {
  if (word !== 'done' && isDiskFull(reason)) return diskFull(at.path);
  switch (word) {
    case 'done':
      return null;
    case 'directory':
      return failure('special', `'${at.path}' is a directory, not a file.`);
    case 'other':
      return notRegular(at.path);
    case 'exists':
      return existsFailure(at.path);
    case 'missing':
      return failure('not_found', `Error: File '${at.path}' not found`);
    case 'stale':
      return staleFailure(at.path);
    case 'unresolved':
      return linkRefused(at.path);
    case 'parent':
      return failure('special', `'${at.path}' cannot be used: one of its parents is a file, or is closed.`);
    case 'readonly':
      return readOnly(at.path);
    default:
      return failure(
        'denied',
        `'${at.path}' could not be written in the sandbox${reason === '' ? '' : `: ${reason}`}.`,
      );
  }
}

/** The path in the backend from the answer of `realPathScript`; below `/..` if it is unknown or outside. */
export function realPathFrom(output: string, path: string): string {
  const [root, real, ...more] = output.split('//\n').slice(0, -1);
  if (root === undefined || real === undefined || more.length > 0) return `/..${path}`;
  const [top, place] = [root || '/', real || '/'];
  if (!isBelow(place, top)) return `/..${place}`;
  return top === '/' ? place : place.slice(top.length) || '/';
}

export const callOf = ({ signal, timeoutMs }: CallOptions): ExecuteOptions => optional({ signal, timeoutMs });

/**
 * Whether the shell of a script was killed, for example because its container was removed, so that its answer may be incomplete.
 * Scripts have no such status themselves.
 */
export const wasKilled = ({ exitCode, timedOut }: Pick<ExecuteResponse, 'exitCode' | 'timedOut'>): boolean =>
  timedOut !== true && exitCode !== null && exitCode > 128;

/** Of a change whose answer is missing. */
export const notKnown = (path: string): Failure =>
  failure(
    'network',
    `Error: it is not known whether '${path}' was changed, because the sandbox did not answer. Read it again before you repeat the change.`,
  );

export const signalOf = ({ signal }: CallOptions): Pick<CallOptions, 'signal'> => optional({ signal });

/** The entry of a listing's record, in that directory; none for a record in another form. */
export function listedEntry(record: string, directory: string): FileInfo[] {
  const [, mode = '', size, seconds, name] =
    /^\n?(o?[0-9a-f]+) (\d+) (-?\d+) \.\/([\s\S]+)$/.exec(record) ?? [];
  if (name === undefined) return [];
  const modified_at = new Date(Number(seconds) * 1000).toISOString();
  const path = `${directory}${name}`;
  return isDirectoryMode(mode)
    ? [{ path: `${path}/`, is_dir: true, size: 0, modified_at }]
    : [{ path, is_dir: false, size: Number(size), modified_at }];
}
