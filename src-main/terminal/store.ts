import type { TerminalInfo } from '../contract/app';
import type { TerminalId } from '../contract/ids';

/**
 * Where terminals outlive the app. Every method is short and synchronous; a throw (disk full) makes the terminal go on
 * without being kept.
 */
export interface TerminalStore {
  /** Creates or updates what is known of a terminal. */
  save(info: TerminalInfo): void;
  /**
   * What of the next piece may be kept: less than the piece, or more where the end of an earlier one waited for it. Saving
   * a terminal that has ended adds what still waits.
   */
  clean(id: TerminalId, piece: string): string;
  /**
   * Adds such pieces, joined, to what a saved terminal printed: one durable write. The store need not keep more than the
   * last 2,000,000 UTF-16 units of one terminal.
   */
  append(id: TerminalId, data: string): void;
  /** All terminals kept, oldest first. */
  list(): TerminalInfo[];
  /** What is kept of its output, and how many UTF-16 units came before that. */
  output(id: TerminalId): { offset: number; data: string };
  remove(id: TerminalId): void;
}
