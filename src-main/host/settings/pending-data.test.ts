import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { inEnglish } from '../../../src-renderer/i18n/errors';
import { because } from '../../contract/shared/reasons';
import { openDatabase } from '../../storage/database/open';
import { temp } from '../testing/window';
import { applyPending, planRestore, planWipe } from './pending-data';

const put = (folder: string, files: Record<string, string>) => {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
};
const AT = Date.UTC(2026, 0, 2, 3, 4, 5, 6);
const ASIDE = 'deepdesk.db.before-2026-01-02T03-04-05-006Z';

it('installs a chosen backup and keeps the previous data with its log', () => {
  const folder = temp('pending');
  put(folder, { 'deepdesk.db': 'old', 'deepdesk.db-wal': 'log', 'deepdesk.db.incoming': 'new' });
  planRestore(folder, AT);
  expect(applyPending(folder)).toEqual([because('backup_restored', { aside: join(folder, ASIDE) })]);
  expect(readdirSync(folder).sort()).toEqual(['deepdesk.db', ASIDE, `${ASIDE}-wal`]);
  expect(readFileSync(join(folder, 'deepdesk.db'), 'utf8')).toBe('new');
  expect(readFileSync(join(folder, ASIDE), 'utf8')).toBe('old');
  expect(applyPending(folder)).toEqual([]);
});

it('resumes an interrupted restore', () => {
  const folder = temp('pending');
  put(folder, { 'deepdesk.db': 'old', [`${ASIDE}-wal`]: 'log', 'deepdesk.db.incoming': 'new' });
  planRestore(folder, AT);
  applyPending(folder);
  expect(readdirSync(folder).sort()).toEqual(['deepdesk.db', ASIDE, `${ASIDE}-wal`]);
  // Stopped after the last step but before the plan was deleted.
  planRestore(folder, AT);
  expect(applyPending(folder)).toEqual([]);
  expect(readFileSync(join(folder, 'deepdesk.db'), 'utf8')).toBe('new');
});

it.each([
  ['restore', (folder: string) => planRestore(folder, AT), 'restore_data_in_use'],
  ['wipe', planWipe, 'wipe_data_in_use'],
] as const)('gives up a %s while another process has the data open, and says so', (_, plan, why) => {
  const folder = temp('pending');
  const file = join(folder, 'deepdesk.db');
  // Like an editor that hosts the agent: no thread runs while nobody writes there.
  const opened = openDatabase(file);
  if (!opened.ok) throw new Error(inEnglish(opened.error));
  put(folder, { 'deepdesk.db.incoming': 'new' });
  plan(folder);
  expect(applyPending(folder)).toEqual([because(why)]);
  expect(existsSync(file)).toBe(true);
  expect(existsSync(join(folder, 'deepdesk.db.incoming'))).toBe(false);
  expect(applyPending(folder)).toEqual([]);
  opened.value.db.close();
  plan(folder);
  applyPending(folder);
  expect(existsSync(file)).toBe(why === 'restore_data_in_use');
});

it('discards a backup that was chosen but not restored', () => {
  const folder = temp('pending');
  put(folder, { 'deepdesk.db': 'old', 'deepdesk.db.incoming': 'new' });
  expect(applyPending(folder)).toEqual([]);
  expect(readdirSync(folder)).toEqual(['deepdesk.db']);
});

it("wipes the data folder, including what it does not know, and leaves the person's and Chromium's files", () => {
  const folder = temp('pending');
  put(folder, {
    'deepdesk.db': 'd',
    'deepdesk.db-wal': 'l',
    'deepdesk.db.backup-v3': 'b',
    'deepdesk.db.corrupt-x': 'c',
    'attachments/t/a.png': 'a',
    'changes/contents/x': 'x',
    'mcp.json': '{}',
    'withheld.key': 'k',
    'skills/mine/SKILL.md': 's',
    'agents/mine.md': 'a',
    'profile/Cookies': 'p',
    known_hosts: 'h',
    'shell/bash': 's',
    'of-a-later-version/a.json': '{}',
    'Local Storage/leveldb/1': 'c',
    'Local State': '{}',
    'blob_storage/1': 'c',
  });
  planWipe(folder);
  expect(applyPending(folder)).toEqual([]);
  expect(readdirSync(folder).sort()).toEqual([
    'Local State',
    'Local Storage',
    'agents',
    'blob_storage',
    'profile',
    'skills',
  ]);
});

it('deletes nothing if the plan cannot be read', () => {
  const folder = temp('pending');
  put(folder, { 'deepdesk.db': 'd', 'pending.json': '{"kind":"wipe everything"}' });
  expect(applyPending(folder)).toEqual([]);
  expect(readdirSync(folder)).toEqual(['deepdesk.db']);
});
