import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { because } from '../contract/shared/reasons';
import { openDatabase } from '../storage/database/open';
import { cleanups, setUp, startHost } from './testing/window';

it('says that repairing the database takes long, and starts with all threads', async () => {
  const t = await setUp();
  await t.host.close();
  cleanups.pop();
  damageIndex(join(t.dataDir, 'deepdesk.db'));
  const told: string[] = [];
  const onSlowData = () => {
    told.push('slow');
    return () => void told.push('done');
  };
  const host = await startHost(t.dataDir, [], { onSlowData });
  cleanups.push(() => host.close());
  expect(told).toEqual(['slow', 'done']);
  expect(host.storage.threads.summaries().map(({ id }) => id)).toEqual([t.threadId]);
  expect(host.storage.warnings).toEqual([because('database_repaired', { aside: expect.any(String) })]);
});

function damageIndex(file: string): void {
  const opened = openDatabase(file);
  if (!opened.ok) throw new Error('The database could not be opened.');
  const { db } = opened.value;
  const root = Number(
    db.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'messages_pending'").pluck().get(),
  );
  db.close();
  const bytes = readFileSync(file);
  bytes.fill(0x5a, (root - 1) * 4096, root * 4096);
  writeFileSync(file, bytes);
}
