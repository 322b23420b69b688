import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inEnglish } from '../../src-renderer/i18n/errors';
import { ProjectId, RoutineId, ThreadId } from '../contract/ids';
import type { Routine, RoutineRun } from '../contract/routines';
import { openDatabase } from './database/open';
import { migrations } from './migrations';
import { openRoutines } from './routines';
import { temporaryFolder } from './testing/fixtures';

const id = RoutineId.parse('r1');
const projectId = ProjectId.parse('p1');

function open(file: string, list?: readonly string[]) {
  const opened = openDatabase(file, list === undefined ? {} : { migrations: list });
  if (!opened.ok) throw new Error(inEnglish(opened.error));
  return opened.value.db;
}

/** A database from before routines, with a project, as it is now. */
function migrated() {
  const file = join(temporaryFolder(), 'd.sqlite');
  const old = open(file, migrations.slice(0, 16));
  old.prepare("INSERT INTO projects (id, folder, opened_at, body) VALUES ('p1', '/f', 1, '{}')").run();
  old.close();
  const db = open(file);
  return { db, table: openRoutines(db, () => undefined) };
}

const routine: Routine = {
  id,
  projectId,
  name: 'Report',
  prompt: 'Write it.',
  schedule: 'every day at 9',
  timeZone: 'UTC',
  model: 'offline:guide',
  mode: null,
  budget: { microDollars: null, tokens: null },
  isOn: true,
  createdAt: 1,
  record: null,
  missed: null,
};

const run = (name: string, at: number): RoutineRun => ({
  id: name,
  routineId: id,
  at,
  trigger: 'schedule',
  threadId: null,
  isRecording: false,
  approved: [],
  error: null,
  times: 1,
});

describe('routines', () => {
  it('are kept in a database from before them', () => {
    const { table } = migrated();
    table.add(routine);
    expect(table.change(id, (now) => ({ ...now, name: 'Renamed' }))).toBe(true);
    expect(table.list()).toEqual([{ routine: { ...routine, name: 'Renamed' }, nextAt: null, ranAt: null }]);
  });

  it('give a due time to one claim only', () => {
    const { table } = migrated();
    table.add(routine);
    table.setNext(id, 100);
    expect(table.claim(id, 100, 200, 100)).toBe(true);
    expect(table.claim(id, 100, 200, 100)).toBe(false);
    expect(table.claim(id, 200, 300, null)).toBe(true);
    expect(table.get(id)).toMatchObject({ nextAt: 300, ranAt: 100 });
  });

  it('are no longer due after they were removed, and come back', () => {
    const { table } = migrated();
    table.add(routine);
    table.setNext(id, 100);
    expect(table.remove(id, 5)).toBe(true);
    expect(table.get(id)).toBeNull();
    expect(table.claim(id, 100, 200, 100)).toBe(false);
    expect(table.change(id, (now) => ({ ...now, name: 'Renamed' }))).toBe(false);
    expect(table.restore(id)).toBe(true);
    expect(table.get(id)).toMatchObject({ nextAt: null, routine: { name: 'Report' } });
  });

  it('keep their runs, the newest first, and find the one of a thread', () => {
    const { db, table } = migrated();
    table.add(routine);
    db.prepare(
      `INSERT INTO threads (id, project_id, updated_at, phase, seq, info, turn, todos, usage, queue)
       VALUES ('t1', 'p1', 1, 'idle', 0, '{}', '{}', '[]', '{}', '[]')`,
    ).run();
    table.saveRun(run('a', 1));
    table.saveRun({ ...run('b', 2), threadId: ThreadId.parse('t1') });
    table.saveRun({ ...run('a', 3), times: 2 });
    expect(table.runs(id, 10).map((one) => [one.id, one.times])).toEqual([
      ['a', 2],
      ['b', 1],
    ]);
    expect(table.runs(id, 1)).toHaveLength(1);
    expect(table.runOf(ThreadId.parse('t1'))?.id).toBe('b');
    expect(table.runOf(ThreadId.parse('t2'))).toBeNull();
  });
});
