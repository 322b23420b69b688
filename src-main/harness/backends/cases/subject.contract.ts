import type { BackendProtocol } from '../protocol';

/** A backend under test. */
export interface Tested {
  /** A new, empty one for each test. */
  backend: BackendProtocol;
  /** Cleans up after the test. */
  close?: () => void | Promise<void>;
  /** Replacing a file on disk creates a new one with a new creation time. */
  forgetsCreation?: boolean;
  /** A search over several backends skips the rest once its budget is spent. */
  spentMeansCut?: boolean;
  /** Rejects bytes that are not UTF-8. */
  textOnly?: boolean;
}

/** The backend of the current test. */
export interface Subject {
  readonly tested: Tested;
  readonly backend: BackendProtocol;
  /** Where a path of the contract is, for backends mounted in a tree. */
  at: (path: string) => string;
}

export const paths = (result: { files?: { path: string }[] }) => result.files?.map((file) => file.path);
export const bytes = (...values: number[]) => new Uint8Array(values);
