import { fail, type Result } from '../contract/result';

/** What the system says of a path that could not be listed, as a value. What is nobody's mistake is thrown again. */
export function listingFailure(path: string, error: unknown): Result<never> {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') return fail('not_found', 'path_gone', { path });
  if (code === 'ENOTDIR') return fail('invalid', 'not_a_folder', { path });
  if (code === 'EACCES' || code === 'EPERM') return fail('denied', 'folder_denied', { path });
  if (code === 'ELOOP') return outsideOf(path);
  throw error;
}

export const outsideOf = (path: string): Result<never> => fail('denied', 'outside_or_linked', { path });
