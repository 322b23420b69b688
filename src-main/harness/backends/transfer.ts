import type { Failure } from './failure';
import type { FileOperationError } from './protocol';

/** The protocol's error term, one of four, for a file that could not be stored or fetched. */
export function transferError(failed: Failure): FileOperationError {
  if (failed.kind === 'not_found' || failed.kind === 'folder_gone') return 'file_not_found';
  if (failed.kind === 'special') return 'is_directory';
  return failed.kind === 'invalid' || failed.kind === 'binary' ? 'invalid_path' : 'permission_denied';
}
