import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { PlaceState } from '../../contract/places';
import { hasPostgres, type PostgresServer, startPostgres } from '../../storage/testing/postgres';
import { lineTo } from '../../storage/testing/postgres-line';
import type { Part } from '../testing/slow-model';
import type { PlaceBackend } from './place-backend';
import { instanceWith, openPlaceOf } from './testing/instance';

const noPostgres = hasPostgres ? '' : ' (skipped: no Postgres is there for this system.)';

let server: PostgresServer;
beforeAll(async () => {
  if (hasPostgres) server = await startPostgres();
}, 60_000);
afterAll(() => server?.stop());

/** A new database behind a line that can be cut. */
async function database() {
  const at = await server.database();
  const line = await lineTo(at);
  onTestFinished(() => line.close());
  return { at, line, address: `postgresql://${at.user}@127.0.0.1:${line.port}/${at.database}` };
}

const openPlace = (address: string, limit?: number) => openPlaceOf({ kind: 'team', address }, null, limit);

/** An instance of the app with the place. */
const instance = (address: string, script: readonly (readonly Part[])[]) =>
  instanceWith('/team/', { kind: 'team', address }, null, script);

const FILE = '/team/style.md';
const read = { name: 'read_file', args: { file_path: FILE } };
const write = (content: string) => ({ name: 'write_file', args: { file_path: FILE, content } });

describe.skipIf(!hasPostgres)(`memories of a team on Postgres${noPostgres}`, () => {
  it('are written in one instance, read in another, and changes there are undone', async () => {
    const { address } = await database();
    const [ada, ben] = await Promise.all([
      instance(address, [[write('two spaces')], ['Done.']]),
      instance(address, [[read], ['Done.']]),
    ]);
    await ada.go();
    expect(await ben.go()).toContain('two spaces');
    const revert = { threadId: ada.threadId, scope: { kind: 'thread' }, force: false };
    expect(await ada.window.must('changes.revert', revert)).toMatchObject({ status: 'done', files: 1 });
    const { files } = openPlace(address);
    expect((await files.ls('/')).files).toEqual([]);
  });

  it('tell the agent what was not saved while the network is cut, and work again afterwards', async () => {
    const { address, line } = await database();
    const t = await instance(address, [[write('lost')], ['Done.'], [write('kept')], ['Done.']]);
    line.cut();
    expect(await t.go()).toMatch(/cannot be used now.*Couldn't reach/s);
    const states = async () => {
      const { places }: { places: { id: string; state: PlaceState }[] } = await t.window.must('places.list', {
        projectId: null,
      });
      return places[0];
    };
    const place = await states();
    expect(place?.state).toMatchObject({ phase: 'offline', error: { code: 'place_unreachable' } });
    line.restore();
    expect(await t.window.must('places.check', { id: place?.id ?? '' })).toMatchObject({
      state: { phase: 'connected' },
    });
    await t.go();
    const { files } = openPlace(address);
    expect((await files.read('/style.md')).content).toContain('kept');
  });

  it('lose no edit of two writers, even when the server ends their connections', async () => {
    const { at, address } = await database();
    const [ada, ben] = [openPlace(address).files, openPlace(address).files];
    expect((await ada.write('/list.md', 'all:')).error).toBeUndefined();
    const admin = new pg.Client({ ...at });
    await admin.connect();
    const add = async (files: PlaceBackend, word: string) => {
      for (;;) {
        const now = (await files.read('/list.md')).content;
        if (typeof now !== 'string') continue;
        if (now.includes(word)) return;
        await files.edit('/list.md', 'all:', `all: ${word}`);
      }
    };
    const words = Array.from({ length: 15 }, (_, at) => `${at}.`);
    const end = () =>
      admin.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'Deepdesk'",
      );
    const writer = async (files: PlaceBackend, name: string) => {
      for (const [index, word] of words.entries()) {
        if (index % 5 === 4) await end();
        await add(files, `${name}${word}`);
      }
    };
    await Promise.all([writer(ada, 'a'), writer(ben, 'b')]);
    await admin.end();
    const { content } = await openPlace(address).files.read('/list.md');
    const found = String(content).replace('all:', '').trim().split(/\s+/u).toSorted();
    expect(found).toEqual(words.flatMap((word) => [`a${word}`, `b${word}`]).toSorted());
  }, 60_000);

  it('never wait for a server that no longer answers', async () => {
    const { address, line } = await database();
    const { files } = openPlace(address, 1_500);
    expect((await files.write('/a.md', 'one')).error).toBeUndefined();
    line.silence();
    const lost = await files.write('/b.md', 'two');
    expect(lost).toMatchObject({ kind: 'timeout' });
    expect(lost.error).toContain('did not answer');
  });

  it('are used by an account that may create no tables, and read from a server that takes no changes', async () => {
    const { at, address } = await database();
    await openPlace(address).files.write('/a.md', 'one');
    const admin = new pg.Client({ ...at });
    await admin.connect();
    onTestFinished(() => admin.end());
    await admin.query('CREATE ROLE member LOGIN');
    await admin.query('GRANT SELECT, INSERT, UPDATE, DELETE ON store TO member');
    const member = () => openPlace(address.replace(`${at.user}@`, 'member@')).files;
    expect((await member().edit('/a.md', 'one', 'two')).occurrences).toBe(1);
    await admin.query(`ALTER DATABASE ${at.database} SET default_transaction_read_only = on`);
    for (const files of [member(), openPlace(address).files]) {
      expect((await files.read('/a.md')).content).toBe('two');
      expect((await files.write('/a.md', 'three')).error).toContain('read-only transaction');
    }
  });

  it('say what is wrong with the address', async () => {
    const { at, address } = await database();
    const reached = (given: string) => openPlace(given).connection.check(AbortSignal.timeout(10_000));
    expect(await reached(address.replace(at.database, 'none'))).toMatchObject({
      phase: 'refused',
      error: { code: 'place_team_no_database' },
    });
    expect(await reached(`${address}?sslmode=require`)).toMatchObject({
      phase: 'refused',
      error: { code: 'place_team_no_tls' },
    });
    const admin = new pg.Client({ ...at });
    await admin.connect();
    await admin.query("CREATE ROLE guest LOGIN PASSWORD 'x'");
    await admin.query('REVOKE ALL ON SCHEMA public FROM PUBLIC');
    await admin.end();
    expect(await reached(address.replace(`${at.user}@`, 'guest@'))).toMatchObject({
      phase: 'refused',
      error: { code: 'place_team_rights' },
    });
  });
});
