/** Which mistake the options of an agent, middleware or backend have. */
export type ConfigurationErrorCode =
  /** A tool has the name of a built-in one. */
  | 'TOOL_NAME_COLLISION'
  /** A `ContextSize` has an unknown type, or a value that is negative or a fraction above 1. */
  | 'INVALID_CONTEXT_SIZE'
  /** There is no option of that name. The message lists all. */
  | 'UNKNOWN_OPTION'
  /** The value of an option has the wrong type or is out of range. The message names the option and what it takes. */
  | 'INVALID_OPTION'
  /** `interruptOn` or `toolNames` names a tool that does not exist. The message lists all. */
  | 'UNKNOWN_TOOL';

/** An agent, middleware or backend cannot be created with the given options. `code` tells programs which mistake it is. */
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
