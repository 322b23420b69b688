// Tests run this in a separate process. It edits one file of a store repeatedly, beside another process that does the same.
// `child.js sqlite FILE NAME TIMES` or `child.js postgres OPTIONS NAME TIMES`. Prints the number of edits.
import { inEnglish } from '../../../../src-renderer/i18n/errors';
import { openDatabase } from '../../../storage/database/open';
import { PostgresTeamStore } from '../../storage/postgres/postgres-store';
import { SqliteStore } from '../../storage/sqlite/store/store';
import { StoreBackend } from '../store/store';

const [, , kind = '', where = '', name = '', times = ''] = process.argv;

async function edit(store: SqliteStore | PostgresTeamStore): Promise<void> {
  const backend = new StoreBackend({ store, namespace: ['shared'] });
  let done = 0;
  for (let turn = 0; turn < Number(times); turn += 1) {
    const edited = await backend.edit('/list.txt', 'END', `${name}${turn} END`);
    if (edited.error !== undefined) throw new Error(edited.error);
    done += 1;
  }
  process.stdout.write(String(done));
}

if (kind === 'sqlite') {
  const opened = openDatabase(where);
  if (!opened.ok) throw new Error(inEnglish(opened.error));
  await edit(new SqliteStore(opened.value.db));
  opened.value.db.close();
} else {
  const store = new PostgresTeamStore({ connectionOptions: JSON.parse(where) });
  await edit(store);
  await store.stop();
}
