import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { inEnglish } from '../../../../src-renderer/i18n/errors';
import { openDatabase } from '../../../storage/database/open';
import { migrations } from '../../../storage/migrations';
import { killWriter, look } from '../../../storage/testing/killed';
import { message, project, thread } from '../../../storage/testing/values';
import { type FaultOptions, Tally } from './tally';

const MESSAGES = 1_500;
const TEXT = 'some words of a long conversation '.repeat(20);
const said = Array.from({ length: MESSAGES }, (_, index) => message(`m${index}`, `${index} ${TEXT}`));

/** Kills a process at random moments of moving a database of an older version to the present one. */
export async function killedMigrations({ bundle, place, times, random }: FaultOptions): Promise<Tally> {
  const tally = new Tally();
  let takes = 0;
  for (let round = 0; round <= times; round += 1) {
    const folder = join(place, `${round}`);
    mkdirSync(folder);
    const file = join(folder, 'd.sqlite');
    const version = round === 0 ? 1 : 1 + Math.floor(random() * (migrations.length - 1));
    olderDatabase(file, version);
    const migrate = (delay: number) =>
      killWriter({ bundle, what: 'migrations', file, delay, ends: true, isEnough: () => true });
    if (round === 0) {
      // A first time without a kill, to know how long it takes.
      const since = performance.now();
      await migrate(LONG);
      takes = performance.now() - since;
    } else {
      const delay = 1 + random() * takes;
      await tally.provoke('database', async () => {
        await migrate(delay);
        await tally.recover(() =>
          look(file, ({ messages }) => {
            expect(messages.all(thread().id)).toEqual(said);
          }),
        );
        expectWholeCopies(folder);
      });
    }
    rmSync(folder, { recursive: true });
  }
  return tally;
}

/** Milliseconds; longer than any migration here. */
const LONG = 60_000;

function olderDatabase(file: string, version: number): void {
  const opened = openDatabase(file, { migrations: migrations.slice(0, version) });
  if (!opened.ok) throw new Error(inEnglish(opened.error));
  const { db } = opened.value;
  const { id, folder } = project();
  db.prepare('INSERT INTO projects (id, folder, opened_at, body) VALUES (?, ?, 1, ?)').run(
    id,
    folder,
    JSON.stringify(project()),
  );
  db.prepare(
    "INSERT INTO threads (id, project_id, updated_at, phase, seq, info, turn, todos, usage, queue) VALUES (?, ?, 1, 'idle', 0, ?, ?, '[]', ?, '[]')",
  ).run(thread().id, id, JSON.stringify(thread()), JSON.stringify({ phase: 'idle' }), JSON.stringify({}));
  const insert = db.prepare('INSERT INTO messages (thread_id, position, id, body) VALUES (?, ?, ?, ?)');
  db.transaction(() => {
    for (const [index, one] of said.entries())
      insert.run(thread().id, index + 1, one.id, JSON.stringify(one));
  })();
  db.close();
}

/** A copy of the older version is whole: the person would go back to it. */
function expectWholeCopies(folder: string): void {
  for (const name of readdirSync(folder).filter((one) => /\.backup-v\d+-[^.]*$/.test(one))) {
    const version = Number(/backup-v(\d+)/.exec(name)?.[1]);
    const opened = openDatabase(join(folder, name), { migrations: migrations.slice(0, version) });
    if (!opened.ok) throw new Error(`${name}: ${inEnglish(opened.error)}`);
    const { db, warnings } = opened.value;
    const rows = db.prepare('SELECT count(*) AS count FROM messages').get();
    db.close();
    expect([name, warnings, rows]).toEqual([name, [], { count: MESSAGES }]);
  }
}
