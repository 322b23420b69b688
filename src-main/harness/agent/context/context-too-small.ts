/** The request is longer than the model accepts, even after leaving out everything possible. */
export class ContextTooSmallError extends Error {
  override readonly name = 'ContextTooSmallError';
  /** Tokens of the model's window; 0 if unknown. */
  constructor(window: number) {
    super(
      `The thread does not fit the model${window > 0 ? `, which takes ${window.toLocaleString('en')} tokens` : ''}, even when compacted.`,
    );
  }
}
