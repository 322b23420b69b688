import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { inEnglish } from '../../../src-renderer/i18n/errors';
import { openDatabase } from '../database/open';
import { temporaryFolder } from './fixtures';
import { newDatabase } from './new-database';

it('is the same as what opening creates', () => {
  const folder = temporaryFolder();
  const made = (name: string) => {
    const file = join(folder, name);
    const opened = openDatabase(file);
    if (!opened.ok) throw new Error(inEnglish(opened.error));
    const { db } = opened.value;
    const settings = ['user_version', 'journal_mode', 'auto_vacuum', 'page_size', 'integrity_check'];
    const values = settings.map((setting) => db.pragma(setting, { simple: true }));
    const schema = db.prepare('SELECT type, name, sql FROM sqlite_schema ORDER BY name').all();
    db.close();
    return { values, schema, warnings: opened.value.warnings, mode: statSync(file).mode };
  };
  newDatabase(join(folder, 'copied'));
  expect(made('copied')).toEqual(made('created'));
});
