import { compileGlob, isHidden } from '../../../base/globs/glob';
import { type Failure, isFailure } from '../failure';
import { asDirectory, type CheckedPath, checkPath } from '../paths';
import type { CallOptions } from '../protocol';
import { checkPattern } from './file-search';

interface SearchScope {
  at: CheckedPath;
  /** Whether the search covers a path. */
  inScope: (path: string) => boolean;
}

/** Checks the arguments of `grep` on a backend that has only keys. */
export function scopeOfSearch(
  pattern: string,
  path: string | null,
  glob: string | null,
  sees?: CallOptions['sees'],
): SearchScope | Failure {
  const unusable = checkPattern(pattern);
  if (unusable !== null) return unusable;
  const at = checkPath(path ?? '/');
  if (isFailure(at)) return at;
  const inScope = searchScope(at, glob, sees);
  return isFailure(inScope) ? inScope : { at, inScope };
}

/**
 * The files that a search at `at` covers: the file itself, or everything below. Hidden names are left out unless the include
 * glob names their dot, and so are files that `sees` (see `CallOptions`) hides.
 */
function searchScope(
  at: CheckedPath,
  glob: string | null,
  sees: CallOptions['sees'] = () => true,
): ((path: string) => boolean) | Failure {
  const include = glob === null || glob === '' ? null : compileGlob(glob);
  if (include !== null && 'error' in include) return include;
  const folder = asDirectory(at.path);
  const isInside = (path: string) => {
    if (path === at.path) return include === null || include.matches(at.segments.at(-1) ?? '');
    if (!path.startsWith(folder)) return false;
    const inside = path.slice(folder.length);
    return include === null ? !isHidden(inside) : include.matches(inside);
  };
  return (path) => isInside(path) && sees(path);
}
