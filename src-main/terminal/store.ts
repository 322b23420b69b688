import type { TerminalInfo } from '../contract/app';
import type { TerminalId } from '../contract/ids';

/**
 * Where terminals outlive the app. Every method is short and synchronous; a throw (disk full) makes the terminal go on
 * without being kept.
 */
export interface TerminalStore {
  /** Creates or updates what is known of a terminal. */
  save(info: TerminalInfo): void;
  /** Adds to what a saved terminal printed; the store need not keep more than the last 2,000,000 UTF-16 units of one terminal. */
  append(id: TerminalId, data: string): void;
  /** All terminals kept, oldest first. */
  list(): TerminalInfo[];
  /** What is kept of its output, and how many UTF-16 units came before that. */
  output(id: TerminalId): { offset: number; data: string };
  remove(id: TerminalId): void;
}
