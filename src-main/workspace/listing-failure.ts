import { fail, type Result } from '../contract/result';

/** What the system says of a path that could not be listed, as a value. What is nobody's mistake is thrown again. */
export function listingFailure(path: string, error: unknown): Result<never> {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') return fail('not_found', `${path} no longer exists.`);
  if (code === 'ENOTDIR') return fail('invalid', `${path} is not a folder.`);
  if (code === 'EACCES' || code === 'EPERM')
    return fail('denied', `The system does not let Deepdesk read ${path}.`);
  if (code === 'ELOOP') return outsideOf(path);
  throw error;
}

export const outsideOf = (path: string): Result<never> =>
  fail('denied', `${path} is outside the project folder, or reached through a link.`);
