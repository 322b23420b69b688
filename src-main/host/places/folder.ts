import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { fail, ok, type Result } from '../../contract/result';
import { FilesystemBackend, systemCode } from '../../harness/backends';
import type { PlaceKindModule } from './place-kind';

/** Another folder of this machine. */
export const folderPlace: PlaceKindModule<'folder'> = {
  connect: async ({ folder }) => {
    const found = await checkFolder(folder);
    if (!found.ok) return found;
    return ok({
      backend: new FilesystemBackend({ rootDir: folder }),
      check: () => checkFolder(folder),
      close: async () => undefined,
    });
  },
};

async function checkFolder(folder: string): Promise<Result<object>> {
  if (!isAbsolute(folder)) return fail('invalid', 'place_not_a_folder', { folder });
  try {
    const found = await stat(folder);
    if (!found.isDirectory()) return fail('invalid', 'place_not_a_folder', { folder });
    await access(folder, constants.R_OK | constants.X_OK);
    return ok({});
  } catch (thrown) {
    const code = systemCode(thrown);
    if (code === 'EACCES' || code === 'EPERM') return fail('denied', 'place_folder_denied', { folder });
    // It may be on a disk that is not attached now.
    return fail('network', 'place_folder_gone', { folder });
  }
}
