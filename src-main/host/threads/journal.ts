/** A tool result in storable form. */
export interface StoredResult {
  content: string;
  status: 'success' | 'error';
  exitCode?: number | null;
  /** Fields that are saved with its message: where its text came from. */
  kwargs?: Record<string, unknown>;
}

/**
 * Remembers across a kill which calls with external effects were started, and their results, so that a resumed turn repeats
 * none of them. Writes survive the end of the process when the method returns, and a power cut after `onDisk`.
 */
export interface CallJournal {
  /** Records that the call is about to run. */
  begin(callId: string, digest: string): void;
  /** Wait for it between `begin` and the call. Undefined if all is on the disk already. */
  onDisk?(): Promise<void> | undefined;
  /** The call was not started after all. */
  forget(callId: string): void;
  /** The call started earlier and has no known result: it may have taken effect. */
  isUnfinished(callId: string): boolean;
  finish(callId: string, result: StoredResult): void;
  /** The result of a finished call, whatever happened to its turn. */
  resultOf(callId: string): StoredResult | undefined;
}
