/** Which mistake the options of an agent have. */
export type ConfigurationErrorCode =
  /** A tool has the name of a built-in one. */
  | 'TOOL_NAME_COLLISION'
  /** A `ContextSize` has an unknown type, or a value that is negative or a fraction above 1. */
  | 'INVALID_CONTEXT_SIZE';

/** An agent cannot be created with the given options. `code` tells programs which mistake it is. */
export class ConfigurationError extends Error {
  override readonly name = 'ConfigurationError';

  constructor(
    message: string,
    /** Which mistake it is. */
    readonly code: ConfigurationErrorCode,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  /** Also for errors of another copy of this package. */
  static isInstance(error: unknown): error is ConfigurationError {
    return error instanceof Error && error.name === 'ConfigurationError' && 'code' in error;
  }
}
