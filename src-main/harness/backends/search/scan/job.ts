/**
 * What is looked for: lines (a text, or a regular expression as `translateRegex` made it), names of files, what some names
 * of a folder are (`stats.ts`), or an ignore file that ripgrep cannot be given (`base/ignore-files.ts`).
 */
export type ScanTarget =
  | { kind: 'literal'; text: string }
  | { kind: 'regex'; source: string; flags: string; literal: string }
  | { kind: 'names' }
  | { kind: 'stats'; names: readonly string[] }
  | { kind: 'odd-ignore-file' };

export type ScanPlace =
  /** A directory's host path. `outerRules`: an ignore file for it, whose rules come after those inside. */
  | { kind: 'folder'; path: string; outerRules: string; hidden: HiddenNames }
  /** A regular file that is open for reading. */
  | { kind: 'file'; fd: number }
  /** Such files; each has its matches under `handedName`. */
  | { kind: 'files'; fds: readonly number[] }
  /** Not looked through for NUL. */
  | { kind: 'text'; text: string };

/** Names with a leading dot that are looked at though no ignore file brings them back. */
export type HiddenNames = 'none' | 'files' | 'all';

/** The name of an open file by its place among those of a search, which is its name for a program that is given them. */
export const handedName = (index: number): string => `/dev/fd/${FIRST_HANDED + index}`;
/** After those that every program has. */
const FIRST_HANDED = 3;

export interface ScanOutput {
  /** Bytes as ripgrep prints them (`search-records.ts`), or numbers (`stats.ts`); the array is the receiver's. False: no more is wanted. */
  write(bytes: Uint8Array): boolean;
  /** Asked often; true ends the scan. */
  stopped(): boolean;
}

/** `incomplete`: a part could not be searched, and not since it is gone or not allowed. */
export interface ScanEnd {
  incomplete: boolean;
  /** There is an odd ignore file, where one was looked for. */
  isOdd?: boolean;
}

/** What the search worker is sent. */
export interface ScanJob {
  target: ScanTarget;
  place: ScanPlace;
  /** Two numbers of 32 bits that both threads see: `IN_FLIGHT` and `STOPPED`. */
  shared: SharedArrayBuffer;
}

/** Index of: blocks of output that were sent and not taken. */
export const IN_FLIGHT = 0;
/** Index of: not 0 once nothing more is wanted. */
export const STOPPED = 1;

export type ScanReport =
  | { kind: 'output'; bytes: Uint8Array }
  | ({ kind: 'end' } & ScanEnd)
  /** `code`: the system's, or '' for a regular expression that is too large. */
  | { kind: 'failed'; code: string };
