import { isBelow } from '../../base/is-below';
import { byteLengthOf, canonicalName, climbsByBackslash, isWellFormed } from '../../base/path-names';
import { type Failure, failure, isFailure } from './failure';

/** A path that file tools may use. */
export interface CheckedPath {
  /**
   * Canonical: starts with `/`, single slashes, no `.`, no trailing `/` (except the root), names as `base/path-names.ts`
   * writes them.
   */
  path: string;
  /** The names in it. Empty for the root. */
  segments: string[];
}

/** Bytes of UTF-8: the limit of common file systems for one name. */
const MAX_NAME_BYTES = 255;
/** Bytes of UTF-8 for a whole path, without the root. */
const MAX_PATH_BYTES = 4096;

/** A path that is already canonical: no name starts with a dot or has a character with a special meaning anywhere. */
const PLAIN = /^(?:\/[A-Za-z0-9_-][A-Za-z0-9._-]*)+$/;

/** Paths of drives, shares and devices. `/C:/x` and `//?/C:/x` are the same with a leading slash. */
const WINDOWS_FORM = /^[A-Za-z]:|^\/+[A-Za-z]:([\\/]|$)|^\\|^\/\/+[?.](\/|\\|$)/;

/** Names that Windows reserves, with any extension. */
const WINDOWS_DEVICE = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)/i;

/**
 * Checks a path by its components and makes it canonical, so that the checked path is the one used. Accepts any value, since
 * a model provides it. `a..b.txt` and `a~b` are ordinary names. `..` as a whole name is rejected everywhere. A backslash
 * separates names only on Windows. Elsewhere it is part of a name.
 *
 * `allowed`: the path must be one of these prefixes or below one. Errors: `invalid` if it is not a path, `denied` for
 * traversal and for paths outside `allowed`.
 */
export function checkPath(
  input: unknown,
  allowed?: readonly string[],
  platform: string = process.platform,
): CheckedPath | Failure {
  if (typeof input !== 'string') return failure('invalid', `Path must be a string, got ${typeName(input)}.`);
  // Covers most paths in a fraction of the time.
  if (input.length <= MAX_NAME_BYTES && allowed === undefined && platform !== 'win32' && PLAIN.test(input))
    return { path: input, segments: input.slice(1).split('/') };
  if (input.trim() === '') return failure('invalid', 'Path cannot be empty');
  const shown = input.length > 120 ? `${input.slice(0, 120)}…` : input;
  if (input.includes('\0')) return failure('invalid', 'Path must not contain a NUL character.');
  if (/^~/.test(input)) return failure('invalid', `Path traversal not allowed: ${shown}`);
  if (!isWellFormed(input))
    return failure('invalid', 'Path must not contain half of a character (a lone surrogate).');
  if (WINDOWS_FORM.test(input))
    return failure('invalid', `Windows absolute paths are not supported: ${shown}`);
  if (/^[A-Za-z][A-Za-z0-9+.-]*:\/\//.test(input))
    return failure('invalid', `A path is wanted, not an address: ${shown}`);

  const written = input
    .split(platform === 'win32' ? /[\\/]+/ : /\/+/)
    .filter((name) => name !== '' && name !== '.');
  if (written.includes('..') || written.some(climbsByBackslash))
    return failure(input.includes('\\') ? 'invalid' : 'denied', `Path traversal not allowed: ${shown}`);
  if (Buffer.byteLength(input) > MAX_PATH_BYTES)
    return failure('invalid', `Path is too long (at most ${MAX_PATH_BYTES} bytes): ${shown}`);
  const segments: string[] = [];
  for (const one of written) {
    const name = platform === 'win32' ? one : canonicalName(one);
    if (name === null)
      return failure(
        'invalid',
        `'${one}' has an escape that is not needed. \\xHH stands for a byte of a name that is not UTF-8, \\x5c for a backslash; write all else as it is.`,
      );
    segments.push(name);
    if (byteLengthOf(name) > MAX_NAME_BYTES)
      return failure('invalid', `A name in the path is too long (at most ${MAX_NAME_BYTES} bytes): ${shown}`);
    if (platform === 'win32' && isInvalidOnWindows(name))
      return failure('invalid', `Windows does not allow the name '${name}'.`);
  }
  const path = `/${segments.join('/')}`;
  if (allowed !== undefined && !allowed.some((prefix) => isBelow(path, prefix)))
    return failure(
      'denied',
      `Path must start with one of [${allowed.map((p) => `"${p}"`).join(', ')}]: ${shown}`,
    );
  return { path, segments };
}

/** Does the same for a path that must name a file. */
export const checkFile = (input: unknown): CheckedPath | Failure => notRoot(checkPath(input));

/** The root is a directory: it can only be listed and searched. */
export function notRoot(at: CheckedPath | Failure): CheckedPath | Failure {
  return !isFailure(at) && at.segments.length === 0
    ? failure('invalid', "'/' is the root directory. Name a file in it.")
    : at;
}

/** A directory's path with a trailing `/`. The root is `/`. */
export const asDirectory = (path: string): string => (path.endsWith('/') ? path : `${path}/`);

/** Compares by UTF-16 code units: fast, and the same in every locale. */
export const byCodeUnit = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function isInvalidOnWindows(name: string): boolean {
  // A colon names an alternate stream. Trailing dots and spaces are dropped silently, so two names would be one file.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: Windows refuses exactly these.
  return WINDOWS_DEVICE.test(name) || /[<>:"|?*\u0000-\u001f]/.test(name) || /[. ]$/.test(name);
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
