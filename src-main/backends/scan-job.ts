import type { ScanPlace, ScanTarget } from './file-scan';

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
  | { kind: 'end'; incomplete: boolean }
  /** `code`: the system's, or '' for a regular expression that is too large. */
  | { kind: 'failed'; code: string };
