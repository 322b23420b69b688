import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fail, ok, type Result } from '../contract/result';

/** The folders that Deepdesk creates in its data folder, some of them only when it first needs them. */
export const DATA_FOLDERS = [
  'agents',
  'attachments',
  'changes',
  'command-output',
  'logs',
  'media',
  'private-copies',
  'rehearsals',
  'remote',
  'sample-project',
  'sandbox',
  'shell',
  'skills',
  'updates',
] as const;

/** Errors: `storage` if there is something else in the place of one, which would fail turns later. */
export async function checkDataFolders(dataDir: string): Promise<Result<Record<string, never>>> {
  for (const path of DATA_FOLDERS.map((name) => join(dataDir, name))) {
    const found = await stat(path).catch(() => null);
    if (found !== null && !found.isDirectory()) return fail('storage', 'data_folder_blocked', { path });
  }
  return ok({});
}
