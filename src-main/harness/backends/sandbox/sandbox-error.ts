/** Why a sandbox cannot be used, in the terms of the published package. */
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
    /** A `SandboxErrorCode`, or the code of a subclass. */
    readonly code: string,
    /** The error that led to this one. */
    override readonly cause?: Error,
  ) {
    super(message);
  }

  /** Also true for errors of another copy of the package. */
  static isInstance(error: unknown): error is SandboxError {
    return error instanceof Error && error.name === 'SandboxError' && 'code' in error;
  }
}

/** A sandbox in a list. */
export interface SandboxInfo<Metadata = Record<string, unknown>> {
  /** Id at the provider. */
  sandboxId: string;
  /** The provider's own data. */
  metadata?: Metadata;
}

/** One page of the sandboxes. `cursor`: where the next page starts; null on the last. */
export interface SandboxListResponse<Metadata = Record<string, unknown>> {
  /** The sandboxes of this page. */
  items: SandboxInfo<Metadata>[];
  /** Where the next page starts. Null on the last page. */
  cursor: string | null;
}

/** Which page of the sandboxes to list. */
export interface SandboxListOptions {
  /** `cursor` of the previous page. Default: the first page. */
  cursor?: string;
}

/** Which sandbox to open. Without an id a new one is made. */
export interface SandboxGetOrCreateOptions {
  /** An existing sandbox. Default: a new one. */
  sandboxId?: string;
}

/** Which sandbox to delete. */
export interface SandboxDeleteOptions {
  /** Id at the provider. */
  sandboxId: string;
}
