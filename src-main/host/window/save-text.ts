import { writeFile } from 'node:fs/promises';
import { fail, ok, type Result } from '../../contract/result';
import { writeBeside } from '../../storage/data-jobs/unfinished-files';
import type { DesktopServices } from './desktop-services';

export interface SaveParts {
  desktop: Pick<DesktopServices, 'chooseSaveFile'>;
  dataFolder: string;
}

/**
 * Asks the person for a file and writes a text to it. A full disk, a kill or a power failure leaves the old file. `name` is
 * only a suggestion. The path is null if they cancelled. Errors: `unsupported`, `storage`.
 */
export async function saveText(
  { desktop: { chooseSaveFile }, dataFolder }: SaveParts,
  name: string,
  textOf: () => string | Promise<string>,
): Promise<Result<{ path: string | null }>> {
  if (!chooseSaveFile) return fail('unsupported', 'choose_in_window');
  const path = await chooseSaveFile(name);
  if (path === null) return ok({ path });
  const text = await textOf();
  try {
    await writeBeside(dataFolder, path, async (part, put) => {
      await writeFile(part, text, { flag: 'wx', mode: 0o600 });
      await put();
    });
    return ok({ path });
  } catch (error) {
    return fail('storage', 'file_not_written', { path }, String(error));
  }
}
