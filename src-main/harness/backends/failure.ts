import type { ErrorKind } from '../../contract/shared/error-kind';

/** Why an operation did not happen. */
export interface Failure {
  /** For the model: what happened and what to do next. */
  error: string;
  /** For programs. */
  kind: ErrorKind;
}

/** A failure in the protocol: a text that says what to do next, and a kind for programs. */
export const failure = (kind: ErrorKind, error: string): Failure => ({ error, kind });

/** Thrown where nobody can tell where a path leads, because the backend cannot be reached. */
export class UnknownTarget extends Error {
  constructor(readonly failure: Failure) {
    super(failure.error);
  }
}

/** The target of a path, or why it is unknown. */
export async function orUnknown(target: Promise<string>): Promise<string | Failure> {
  try {
    return await target;
  } catch (thrown) {
    if (thrown instanceof UnknownTarget) return thrown.failure;
    throw thrown;
  }
}

export function isFailure(value: object): value is Failure {
  return 'error' in value && typeof value.error === 'string';
}

/** A directory where a file should be read. */
export const directoryFailure = (path: string): Failure =>
  failure('special', `'${path}' is a directory, not a file. Use ls to list it.`);

/** The system error code (`ENOENT`) of an error, or '' for a bug of ours. */
export function systemCode(thrown: unknown): string {
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : '';
}

/**
 * Turns a file system error into a failure. `path` is the path as the caller wrote it, so no host path shows. Rethrows
 * anything that is not a system error, since that is a bug.
 */
export function systemFailure(thrown: unknown, path: string): Failure {
  switch (systemCode(thrown)) {
    case 'ENOENT':
      return failure('not_found', `File '${path}' not found`);
    case 'ENOTDIR':
      return failure('not_found', `File '${path}' not found: one of its parents is not a directory`);
    case 'ELOOP':
    case 'EMLINK':
      return linkRefused(path);
    case 'EACCES':
    case 'EPERM':
      return failure('denied', `Permission denied for '${path}'. Its owner has to allow it first.`);
    case 'EROFS':
      return failure('denied', `'${path}' is on a read-only file system.`);
    case 'ENOSPC':
    case 'EDQUOT':
      return diskFull(path);
    case 'EISDIR':
      return directoryFailure(path);
    case 'ENOTEMPTY':
    case 'EEXIST':
      return failure('conflict', `'${path}' exists already.`);
    case 'ENXIO':
    case 'ENODEV':
      return notRegular(path);
    case 'ENAMETOOLONG':
      return failure('invalid', `A name in the path is too long: '${path.slice(0, 80)}…'`);
    case 'EINVAL':
    case 'EILSEQ':
      return failure('invalid', `The system does not accept the name '${path}'.`);
    case 'EMFILE':
    case 'ENFILE':
    case 'EBUSY':
    case 'EIO':
    case 'ETXTBSY':
    case 'ESTALE':
      return failure('storage', `The system cannot open '${path}' right now. Try again.`);
    default:
      throw thrown;
  }
}

/** A symbolic link that leads out of the root, or any link on a write. */
export const linkRefused = (path: string): Failure =>
  failure('denied', `Cannot use '${path}' because it goes through a symlink that is not allowed here.`);

export const diskFull = (path: string): Failure =>
  failure('storage', `The disk is full: '${path}' was not changed. Free some space, then try again.`);

export const readOnly = (path: string): Failure =>
  failure('denied', `'${path}' is read-only. Its owner has to allow writing first.`);

export const notRegular = (path: string): Failure =>
  failure('special', `'${path}' is not a regular file (a pipe, socket or device) and is not opened.`);

export const staleFailure = (path: string): Failure =>
  failure('stale', `'${path}' has changed since it was read. Read it again, then repeat the change.`);

export const existsFailure = (path: string): Failure =>
  failure('conflict', `'${path}' exists already. Edit it, or write to another path.`);
