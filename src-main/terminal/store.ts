import type { TerminalInfo } from '../contract/app';
import type { TerminalId } from '../contract/ids';

/**
 * Where terminals outlive the app. Every method is short and synchronous; a throw (disk full) makes the terminal go on
 * without being kept.
 */
export interface TerminalStore {
  /** Creates or updates what is known of a terminal. */
  save(info: TerminalInfo): void;
  /** Adds to what it printed; the store need not keep more than the last 2,000,000 UTF-16 units of one terminal. */
  append(id: TerminalId, data: string): void;
  /** All terminals kept, oldest first, with what they printed last. */
  load(): { info: TerminalInfo; data: string }[];
  remove(id: TerminalId): void;
}
