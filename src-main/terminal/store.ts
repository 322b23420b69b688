import type { TerminalInfo } from '../contract/app';
import type { TerminalId } from '../contract/ids';

/**
 * Saves terminals across runs of the app. Every method is short and synchronous. If one throws (disk full), the terminal
 * continues without being saved.
 */
export interface TerminalStore {
  /** Creates or updates a terminal's info. */
  save(info: TerminalInfo): void;
  /**
   * Returns the part of the next piece that may be kept: less than the piece, or more if the end of an earlier piece was
   * pending. Saving a terminal that has exited adds what is still pending.
   */
  clean(id: TerminalId, piece: string): string;
  /**
   * Adds cleaned pieces, joined, to the output of a saved terminal in one durable write. The store need not keep more than
   * the last 2,000,000 UTF-16 units of one terminal.
   */
  append(id: TerminalId, data: string): void;
  /** True while another program writes to the store: output is better saved later, because saving would block. */
  isBusy?(): boolean;
  /** All saved terminals, oldest first. */
  list(): TerminalInfo[];
  /** The saved output, and the number of UTF-16 units before it. */
  output(id: TerminalId): { offset: number; data: string };
  remove(id: TerminalId): void;
}
