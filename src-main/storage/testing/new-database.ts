import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inEnglish } from '../../../src-renderer/i18n/errors';
import { openDatabase } from '../database/open';

let bytes: Buffer | undefined;

/**
 * Writes the file that `openDatabase` creates when there is none, unless one exists. All migrations ran once, in the first
 * database of the process: they take five times as long as opening a file that has them.
 */
export function newDatabase(file: string): void {
  if (existsSync(file)) return;
  bytes ??= migrated();
  writeFileSync(file, bytes, { mode: 0o600, flag: 'wx' });
}

function migrated(): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'deepdesk-migrated-'));
  try {
    const file = join(folder, 'deepdesk.db');
    const opened = openDatabase(file);
    if (!opened.ok) throw new Error(inEnglish(opened.error));
    // The last connection writes its log into the file and removes it.
    opened.value.db.close();
    if (existsSync(`${file}-wal`)) throw new Error('The log is not in the file.');
    return readFileSync(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
