/** The stream ended before the answer did. The received part is shown as cut off, and none of its calls run. */
export class StreamCutError extends Error {
  override readonly name = 'StreamCutError';
  constructor() {
    super('The answer was cut off before it was complete.');
  }
}

/** The model declined to answer. Its text is shown, and none of its calls run. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  constructor() {
    super('The model declined to answer.');
  }
}

/** Several answers in a row had only calls that cannot run; continuing would only cost money. */
export class UnusableCallsError extends Error {
  override readonly name = 'UnusableCallsError';
  constructor(rounds: number) {
    super(`The model asked ${rounds} times in a row only for calls that cannot be run.`);
  }
}
