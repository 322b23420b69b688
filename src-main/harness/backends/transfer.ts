import { type Failure, isFailure } from './failure';
import type { FileDownloadResponse, FileOperationError, FileUploadResponse } from './protocol';

/** The protocol's error term, one of four, for a file that could not be stored or fetched. */
export function transferError(failed: Failure): FileOperationError {
  if (failed.kind === 'not_found' || failed.kind === 'folder_gone') return 'file_not_found';
  if (failed.kind === 'special') return 'is_directory';
  return failed.kind === 'invalid' || failed.kind === 'binary' ? 'invalid_path' : 'permission_denied';
}

/** The answer for one file that was to be stored. Only the kind says that a condition was not met. */
export function uploaded(path: string, done: object | Failure): FileUploadResponse {
  if (!isFailure(done)) return { path, error: null };
  const { kind } = done;
  const isUnmet = kind === 'stale' || kind === 'conflict';
  return { path, error: transferError(done), ...(isUnmet ? { kind } : {}) };
}

/** Stores files one after another. Cancel: earlier files are stored, later ones are not. */
export async function uploadEach(
  files: readonly [path: string, content: Uint8Array][],
  signal: AbortSignal | undefined,
  put: (path: string, content: Uint8Array) => Promise<object | Failure>,
): Promise<FileUploadResponse[]> {
  const answers: FileUploadResponse[] = [];
  for (const [path, content] of files) {
    signal?.throwIfAborted();
    answers.push(uploaded(path, await put(path, content)));
  }
  return answers;
}

/** The answer for one file that was fetched. */
export const downloaded = (path: string, got: Uint8Array | Failure): FileDownloadResponse =>
  isFailure(got)
    ? { path, content: null, error: transferError(got) }
    : { path, content: new Uint8Array(got), error: null };
