/**
 * The target of a scan: lines (a text, or a regular expression from `translateRegex`), file names, the stats of some names
 * in a folder (`stats.ts`), or an ignore file that ripgrep must not read (`base/ignore-files.ts`).
 */
export type ScanTarget =
  | { kind: 'literal'; text: string }
  | { kind: 'regex'; source: string; flags: string; literal: string }
  | { kind: 'names' }
  | { kind: 'stats'; names: readonly string[] }
  | { kind: 'odd-ignore-file' };

export type ScanPlace =
  /** A directory's host path. `outerRules`: an ignore file for it, whose rules come after the ones inside. */
  | { kind: 'folder'; path: string; outerRules: string; hidden: HiddenNames }
  /** A regular file open for reading. */
  | { kind: 'file'; fd: number }
  /** Several such files. Each has its matches under its `handedName`. */
  | { kind: 'files'; fds: readonly number[] }
  /** Not checked for NUL. */
  | { kind: 'text'; text: string };

/**
 * Which names with a leading dot are searched though no ignore file includes them again. `not-git`: all but folders named
 * `.git`.
 */
export type HiddenNames = 'none' | 'files' | 'all' | 'not-git';

/** The name of an open file, by its position in a search, for a program that receives it. */
export const handedName = (index: number): string => `/dev/fd/${FIRST_HANDED + index}`;
/** After the ones that every program has. */
const FIRST_HANDED = 3;

export interface ScanOutput {
  /** Receives bytes in ripgrep's format (`search-records.ts`), or numbers (`stats.ts`), and owns the array. False: stop. */
  write(bytes: Uint8Array): boolean;
  /** Called often. True ends the scan. */
  stopped(): boolean;
}

/** `incomplete`: a part could not be searched, for another reason than being gone or not permitted. */
export interface ScanEnd {
  incomplete: boolean;
  /** An odd ignore file exists, if the scan looked for one. */
  isOdd?: boolean;
}

/** The message to the search worker. */
export interface ScanJob {
  target: ScanTarget;
  place: ScanPlace;
  /** Two 32-bit numbers that both threads see: `IN_FLIGHT` and `STOPPED`. */
  shared: SharedArrayBuffer;
}

/** Index of the number of blocks of output that were sent and not yet taken. */
export const IN_FLIGHT = 0;
/** Index of a number that is not 0 once nothing more is wanted. */
export const STOPPED = 1;

export type ScanReport =
  | { kind: 'output'; bytes: Uint8Array }
  | ({ kind: 'end' } & ScanEnd)
  /** `code`: the system's code, or '' for a regular expression that is too large. */
  | { kind: 'failed'; code: string };
