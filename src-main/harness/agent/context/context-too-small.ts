/** What has to be sent is longer than the model can take, whatever is left out. */
export class ContextTooSmallError extends Error {
  override readonly name = 'ContextTooSmallError';
  /** Tokens of the model's window; 0 where it is not known. */
  constructor(window: number) {
    super(
      `The thread does not fit the model${window > 0 ? `, which takes ${window.toLocaleString('en')} tokens` : ''}, even when compacted.`,
    );
  }
}
