/** A tool result in a form that can be stored. */
export interface StoredResult {
  content: string;
  status: 'success' | 'error';
  exitCode?: number | null;
}

/**
 * Remembers, across a kill, which calls with effects outside the thread were started and what they answered, so that a
 * resumed turn repeats none of them. Writes are durable when the method returns.
 */
export interface CallJournal {
  /** Notes that the call is about to run. */
  begin(callId: string, digest: string): void;
  /** The call that was about to run was not started after all. */
  forget(callId: string): void;
  /** Started earlier, with no result known: it may have taken effect. */
  isUnfinished(callId: string): boolean;
  finish(callId: string, result: StoredResult): void;
  /** The result of a call that finished, whatever became of its turn. */
  resultOf(callId: string): StoredResult | undefined;
}
