import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { inEnglish } from '../../../src-renderer/i18n/errors';
import type { Db } from '../../base/sqlite/db';
import { openDatabase } from '../database/open';
import { newDatabase } from './new-database';

/** A folder that is deleted when the test ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'deepdesk-storage-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A new database that is closed when the test ends. */
export function temporaryDatabase(): Db {
  const file = join(temporaryFolder(), 'deepdesk.sqlite');
  newDatabase(file);
  const opened = openDatabase(file);
  if (!opened.ok) throw new Error(inEnglish(opened.error));
  onTestFinished(() => {
    opened.value.db.close();
  });
  return opened.value.db;
}
