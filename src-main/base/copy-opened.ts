import { constants } from 'node:fs';
import { copyFile } from 'node:fs/promises';
import type { RegularFile } from './open-regular';
import { DESCRIPTORS_HAVE_PATHS } from './regular-file';

/**
 * Copies an opened file with its mode to a new name: its own name may lead elsewhere by now. Shares the content where the file
 * system can. `mustShare`: fails where it cannot.
 */
export function copyOpened(
  { fd, place }: Pick<RegularFile, 'fd' | 'place'>,
  target: string | Buffer,
  mustShare = false,
): Promise<void> {
  const share = mustShare ? constants.COPYFILE_FICLONE_FORCE : constants.COPYFILE_FICLONE;
  return copyFile(
    DESCRIPTORS_HAVE_PATHS ? `/proc/self/fd/${fd}` : place,
    target,
    constants.COPYFILE_EXCL | share,
  );
}
