import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openStorage, type Storage } from '../../src-main/storage';
import { inEnglish } from '../../src-renderer/i18n/errors';

/** The app's database in a folder, created if missing. */
export function storageIn(folder: string): { storage: Storage; file: string } {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'deepdesk.sqlite');
  const opened = openStorage(file);
  if (!opened.ok) throw new Error(inEnglish(opened.error));
  return { storage: opened.value, file };
}
