import { randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fail, ok, type Result } from '../../contract/result';
import type { DesktopServices } from './desktop-services';

/**
 * Asks the person for a file and writes a text to it. It writes a temporary file and renames it, so that a full disk leaves
 * the old one. `name` is only a suggestion. The path is null if they cancelled. Errors: `unsupported`, `storage`.
 */
export async function saveText(
  { chooseSaveFile }: Pick<DesktopServices, 'chooseSaveFile'>,
  name: string,
  textOf: () => string | Promise<string>,
): Promise<Result<{ path: string | null }>> {
  if (!chooseSaveFile) return fail('unsupported', 'choose_in_window');
  const path = await chooseSaveFile(name);
  if (path === null) return ok({ path });
  // Its name does not contain that of the file, which may be as long as the system allows.
  const beside = join(dirname(path), `deepdesk-${randomUUID()}.part`);
  const text = await textOf();
  try {
    await writeFile(beside, text, { mode: 0o600 });
    await rename(beside, path);
    return ok({ path });
  } catch (error) {
    await rm(beside, { force: true }).catch(() => undefined);
    return fail('storage', 'file_not_written', { path }, String(error));
  }
}
