import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { inEnglish } from '../../src-renderer/i18n/errors';
import { openDatabase } from './database/open';
import { openRemovable } from './removable';
import { temporaryFolder } from './testing/fixtures';

const Entry = z.object({
  id: z.string(),
  projectId: z.string().nullable(),
  createdAt: z.number(),
  name: z.string(),
});

it('lists what another connection has changed', () => {
  const file = join(temporaryFolder(), 'deepdesk.db');
  const connect = () => {
    const opened = openDatabase(file);
    if (!opened.ok) throw new Error(inEnglish(opened.error));
    const { db } = opened.value;
    onTestFinished(() => void db.close());
    return openRemovable(db, 'remote_agents', Entry, () => undefined);
  };
  const [app, headless] = [connect(), connect()];
  const entry = { id: 'a', projectId: null, createdAt: 1, name: 'before' };
  const names = () => headless.list().map(({ name }) => name);
  app.save(entry);
  expect(names()).toEqual(['before']);
  app.save({ ...entry, name: 'after' });
  expect(names()).toEqual(['after']);
  app.remove('a', 2);
  expect(names()).toEqual([]);
});
