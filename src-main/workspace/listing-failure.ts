import { fail, type Result } from '../contract/result';

/** Turns a system error about listing a path into a result. Unexpected errors are thrown again. */
export function listingFailure(path: string, error: unknown): Result<never> {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') return fail('not_found', 'path_gone', { path });
  if (code === 'ENOTDIR') return fail('invalid', 'not_a_folder', { path });
  if (code === 'EACCES' || code === 'EPERM') return fail('denied', 'folder_denied', { path });
  if (code === 'ELOOP') return outsideOf(path);
  throw error;
}

export const outsideOf = (path: string): Result<never> => fail('denied', 'outside_or_linked', { path });
