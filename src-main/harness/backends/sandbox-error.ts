export type SandboxErrorCode =
  | 'NOT_INITIALIZED'
  | 'ALREADY_INITIALIZED'
  | 'COMMAND_TIMEOUT'
  | 'COMMAND_FAILED'
  | 'FILE_OPERATION_FAILED';

/** The error that a sandbox throws. `code` tells programs what went wrong. Subclasses have other codes. */
export class SandboxError extends Error {
  override readonly name: string = 'SandboxError';

  constructor(
    message: string,
    readonly code: string,
    override readonly cause?: Error,
  ) {
    super(message);
  }

  static isInstance(error: unknown): error is SandboxError {
    return error instanceof Error && error.name === 'SandboxError' && 'code' in error;
  }
}

export interface SandboxInfo<Metadata = Record<string, unknown>> {
  sandboxId: string;
  metadata?: Metadata;
}

export interface SandboxListResponse<Metadata = Record<string, unknown>> {
  items: SandboxInfo<Metadata>[];
  /** Where the next page starts. Null on the last page. */
  cursor: string | null;
}

export interface SandboxListOptions {
  cursor?: string;
}

export interface SandboxGetOrCreateOptions {
  sandboxId?: string;
}

export interface SandboxDeleteOptions {
  sandboxId: string;
}
