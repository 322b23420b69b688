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
