/** The stream ended before the answer did. What came is shown as cut, and none of its calls is run. */
export class StreamCutError extends Error {
  override readonly name = 'StreamCutError';
  constructor() {
    super('The answer was cut off before it was complete.');
  }
}

/** The model declined to answer. What it wrote is shown, and none of its calls is run. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  constructor() {
    super('The model declined to answer.');
  }
}

/** Answer after answer asked only for calls that cannot be run; going on would only cost money. */
export class UnusableCallsError extends Error {
  override readonly name = 'UnusableCallsError';
  constructor(rounds: number) {
    super(`The model asked ${rounds} times in a row only for calls that cannot be run.`);
  }
}

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
