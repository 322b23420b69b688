import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished, TestRunner } from 'vitest';
import { inEnglish } from '../../../src-renderer/i18n/errors';
import { because } from '../../contract/shared/reasons';
import { migrations } from '../migrations';
import { temporaryFolder } from '../testing/fixtures';
import { openAtOnce, openDatabase, openPrepared } from './open';

const at = () => Date.UTC(2026, 0, 2);

const binding = () => {
  const nativeBinding = process.env.DEEPDESK_SQLITE_BINDING;
  return nativeBinding ? { nativeBinding } : {};
};

function open(file: string, list?: readonly string[]) {
  const opened = openDatabase(file, { now: at, ...(list ? { migrations: list } : {}) });
  if (!opened.ok) throw new Error(inEnglish(opened.error));
  return opened.value;
}

describe('openDatabase', () => {
  it('leaves the permissions of a folder unchanged that is also used for other things', () => {
    const folder = temporaryFolder();
    chmodSync(folder, 0o755);
    writeFileSync(join(folder, 'other'), '');
    const opened = openDatabase(join(folder, 'd.sqlite'));
    if (opened.ok) opened.value.db.close();
    expect(statSync(folder).mode & 0o777).toBe(0o755);
    expect(statSync(join(folder, 'd.sqlite')).mode & 0o777).toBe(0o600);
  });

  it.skipIf(!existsSync('/proc/self'))('reports a file system that takes no folders', () => {
    const opened = openDatabase('/proc/deepdesk/d.sqlite');
    expect(opened.ok ? null : opened.error).toMatchObject({
      kind: 'storage',
      detail: expect.stringContaining('ENOENT'),
    });
  });

  it('creates a file that only its owner can read, durable and in WAL mode', () => {
    const folder = join(temporaryFolder(), 'data');
    const { db, warnings } = open(join(folder, 'd.sqlite'));
    const pragma = (name: string) => db.pragma(name, { simple: true });
    expect({
      modes: [statSync(folder).mode & 0o777, statSync(join(folder, 'd.sqlite')).mode & 0o777],
      pragmas: ['journal_mode', 'synchronous', 'foreign_keys', 'user_version'].map(pragma),
      warnings,
    }).toEqual({ modes: [0o700, 0o600], pragmas: ['wal', 2, 1, migrations.length], warnings: [] });
    expect(statSync(join(folder, 'd.sqlite-wal')).mode & 0o777).toBe(0o600);
    db.close();
  });

  it('migrates an older file and keeps a copy of the original', () => {
    const folder = temporaryFolder();
    const file = join(folder, 'd.sqlite');
    const one = ["CREATE TABLE a (x); INSERT INTO a VALUES ('kept')"];
    open(file, one).db.close();
    const { db } = open(file, [...one, 'ALTER TABLE a ADD COLUMN y']);
    expect(db.prepare('SELECT * FROM a').all()).toEqual([{ x: 'kept', y: null }]);
    db.close();
    const backup = open(join(folder, 'd.sqlite.backup-v1-2026-01-02T00-00-00-000Z'), one);
    expect(backup.db.prepare('SELECT * FROM a').all()).toEqual([{ x: 'kept' }]);
    backup.db.close();
  });

  it('removes a copy that a kill interrupted, and does not count it', () => {
    const folder = temporaryFolder();
    const file = join(folder, 'd.sqlite');
    const one = ["CREATE TABLE a (x); INSERT INTO a VALUES ('kept')"];
    open(file, one).db.close();
    writeFileSync(`${file}.backing-up`, 'half a copy');
    open(file, [...one, 'ALTER TABLE a ADD COLUMN y']).db.close();
    const copies = readdirSync(folder).filter((name) => name.includes('back'));
    expect(copies).toEqual(['d.sqlite.backup-v1-2026-01-02T00-00-00-000Z']);
  });

  it('makes every copy readable only by its owner, including earlier ones [safety 28]', () => {
    const before = process.umask(0);
    try {
      const folder = temporaryFolder();
      chmodSync(folder, 0o755);
      writeFileSync(join(folder, 'other'), '');
      const file = join(folder, 'd.sqlite');
      const one = ['CREATE TABLE a (x)'];
      open(file, one).db.close();
      writeFileSync(`${file}.backup-v0-2020-01-01T00-00-00-000Z`, 'old', { mode: 0o644 });
      const { db } = open(file, [...one, 'ALTER TABLE a ADD COLUMN y']);
      const modes = readdirSync(folder)
        .filter((name) => name.startsWith('d.sqlite'))
        .map((name) => [name, statSync(join(folder, name)).mode & 0o777]);
      db.close();
      expect(modes.map(([name]) => name)).toContain('d.sqlite.backup-v1-2026-01-02T00-00-00-000Z');
      expect(modes.filter(([, mode]) => mode !== 0o600)).toEqual([]);
    } finally {
      process.umask(before);
    }
  });

  it('changes nothing when a migration fails', () => {
    const file = join(temporaryFolder(), 'd.sqlite');
    const one = ['CREATE TABLE a (x)'];
    open(file, one).db.close();
    const failed = openDatabase(file, { migrations: [...one, 'CREATE TABLE b (x); SELECT * FROM absent'] });
    expect(failed).toMatchObject({ ok: false, error: { kind: 'storage' } });
    const { db } = open(file, one);
    expect(db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all()).toEqual([{ name: 'a' }]);
    db.close();
  });

  it('rejects a file of a newer version and leaves it unchanged', () => {
    const file = join(temporaryFolder(), 'd.sqlite');
    const newer = [...migrations, 'CREATE TABLE later (x)'];
    open(file, newer).db.close();
    const before = readFileSync(file);
    expect(openDatabase(file)).toMatchObject({ ok: false, error: { kind: 'unsupported' } });
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  it.each([
    ['is no database', () => Buffer.from('hello, this is a text file\n'.repeat(500))],
    [
      'is damaged inside',
      (good: Buffer) => {
        const bad = Buffer.from(good);
        bad.fill(0x5a, 4096 * 2, 4096 * 6);
        return bad;
      },
    ],
  ])('sets aside a file that %s, creates a new one and reports it', (_, damage) => {
    const folder = temporaryFolder();
    const file = join(folder, 'd.sqlite');
    open(file).db.close();
    const bad = damage(readFileSync(file));
    writeFileSync(file, bad);
    const { db, warnings } = open(file);
    db.close();
    const aside = join(folder, 'd.sqlite.corrupt-2026-01-02T00-00-00-000Z');
    expect(warnings).toEqual([because('database_damaged', { aside })]);
    expect(readFileSync(aside).equals(bad)).toBe(true);
    expect(existsSync(file)).toBe(true);
  });

  describe('with a damaged page', () => {
    /** A database with rows of several kinds in which the root page of this table or index is damaged. */
    function damaged(name: string) {
      const folder = temporaryFolder();
      const file = join(folder, 'd.sqlite');
      const { db } = open(file);
      db.exec(`
        INSERT INTO projects (id, folder, opened_at, body) VALUES ('p', '/p', 1, '{}');
        INSERT INTO threads (id, project_id, updated_at, phase, seq, info, turn, todos, usage, queue)
          VALUES ('t', 'p', 1, 'idle', 1, '{}', '{}', '{}', '{}', '{}');
        INSERT INTO messages (rowid, thread_id, position, id, body, indexed) VALUES
          (9, 't', 1, 'm', '{"text": "größe"}', 1), (4, 't', 2, 'n', '{}', 1);
        INSERT INTO message_texts (thread_id, message_id) VALUES ('t', 'm');
        INSERT INTO pieces (id, thread, hash, text, bytes) VALUES (7, 9007199254740993, x'00ff', '', x'ff');
        DELETE FROM pieces WHERE id = 7;
        INSERT INTO memory_choices VALUES ('t', '/a', 'b');
        INSERT INTO terminals (id, project_id, started_at, body) VALUES ('x', 'p', 1, '{}');
        INSERT INTO terminal_output VALUES ('x', 0, 3, 'out');
        UPDATE store_state SET indexed = 5;
      `);
      const page = db.prepare<[string], number>('SELECT rootpage FROM sqlite_schema WHERE name = ?').pluck();
      const root = page.get(name) ?? 0;
      db.close();
      const bytes = readFileSync(file);
      bytes.fill(0x5a, (root - 1) * 4096, root * 4096);
      writeFileSync(file, bytes);
      return { folder, file, bytes, aside: join(folder, 'd.sqlite.corrupt-2026-01-02T00-00-00-000Z') };
    }

    it.each(['messages_pending', 'terminal_output', 'message_words_data', 'message_texts'])(
      'keeps everything in a new one: %s',
      (name) => {
        const { folder, file, bytes, aside } = damaged(name);
        const { db, warnings } = open(file);
        const all = (sql: string) => db.prepare(sql).raw().all();
        expect({
          warnings,
          messages: all('SELECT rowid, * FROM messages ORDER BY rowid'),
          choices: all('SELECT * FROM memory_choices'),
          used: all("SELECT seq FROM sqlite_sequence WHERE name = 'pieces'"),
          output: all('SELECT data FROM terminal_output'),
          toIndex: all('SELECT indexed FROM store_state'),
          check: all('PRAGMA integrity_check'),
        }).toEqual({
          warnings: [because('database_repaired', { aside })],
          messages: [
            [4, 't', 2, 'n', '{}', 0],
            [9, 't', 1, 'm', '{"text": "größe"}', 0],
          ],
          choices: [['t', '/a', 'b']],
          used: [[7]],
          output: name === 'terminal_output' ? [] : [['out']],
          toIndex: [[0]],
          check: [['ok']],
        });
        db.close();
        expect(readFileSync(aside).equals(bytes)).toBe(true);
        expect(statSync(file).mode & 0o777).toBe(0o600);
        expect(readdirSync(folder).filter((one) => one.includes('repair'))).toEqual([]);
      },
    );

    it.each(['messages', 'rules', 'file_changes'])('starts with an empty one without all of %s', (name) => {
      const { folder, file, bytes, aside } = damaged(name);
      const { db, warnings } = open(file);
      expect(warnings).toEqual([because('database_damaged', { aside })]);
      expect(db.prepare('SELECT count(*) FROM projects').pluck().get()).toBe(0);
      db.close();
      expect(readFileSync(aside).equals(bytes)).toBe(true);
      expect(readdirSync(folder).filter((one) => one.includes('repair'))).toEqual([]);
    });

    it('leaves the file to another program that has it open, and says so', () => {
      const { folder, file } = damaged('messages_pending');
      const other = new Database(file, binding());
      onTestFinished(() => {
        other.close();
      });
      other.exec("INSERT INTO projects (id, folder, opened_at, body) VALUES ('q', '/q', 1, '{}')");
      expect(openDatabase(file)).toMatchObject({ ok: false, error: { code: 'database_damaged_in_use' } });
      other.exec("INSERT INTO projects (id, folder, opened_at, body) VALUES ('r', '/r', 1, '{}')");
      other.close();
      expect(readdirSync(folder).filter((one) => /corrupt|repair/.test(one))).toEqual([]);
      const { db } = open(file);
      expect(db.prepare('SELECT id FROM projects ORDER BY id').pluck().all()).toEqual(['p', 'q', 'r']);
      db.close();
    });

    it('leaves the file to another program also if its first page is destroyed', () => {
      const { folder, file } = damaged('messages_pending');
      const other = new Database(file, binding());
      onTestFinished(() => {
        other.close();
      });
      other.pragma('wal_checkpoint(TRUNCATE)');
      const handle = openSync(file, 'r+');
      writeSync(handle, Buffer.alloc(4_096, 0x5a), 0, 4_096, 0);
      closeSync(handle);
      const present = readFileSync(file);
      expect(openDatabase(file)).toMatchObject({ ok: false, error: { code: 'database_damaged_in_use' } });
      expect(readFileSync(file)).toEqual(present);
      other.close();
      open(file).db.close();
      expect(readdirSync(folder).filter((one) => /corrupt|journal/.test(one))).toEqual([
        expect.stringMatching(/corrupt-2026[^a-z]*$/),
      ]);
    });

    it('repairs a large file at the next start if the first repair was killed, or the disk was full', () => {
      const { file, aside } = damaged('messages_pending');
      const large = { now: at, checkAlwaysBelow: 0 };
      // As a kill leaves it: closing the database has written back the log that told of the crash.
      writeFileSync(`${file}.repairing`, 'half a copy');
      const repaired = openDatabase(file, large);
      if (!repaired.ok) throw new Error(inEnglish(repaired.error));
      repaired.value.db.close();
      expect(repaired.value.warnings).toEqual([because('database_repaired', { aside })]);
      expect(existsSync(`${file}.repairing`)).toBe(false);
      // And one that was killed just before the copy took the place of the file.
      writeFileSync(`${file}.repaired`, 'a copy');
      expect(openAtOnce(file, large)).toBe(null);
      const again = openDatabase(file, large);
      if (!again.ok) throw new Error(inEnglish(again.error));
      again.value.db.close();
      expect(readdirSync(join(file, '..')).filter((one) => one.includes('repair'))).toEqual([]);
    });

    it('takes the copy at the next start after a kill before it was in place', () => {
      const { file, aside } = damaged('messages_pending');
      open(file).db.close();
      renameSync(file, `${file}.repaired`);
      const { db, warnings } = open(file);
      expect(db.prepare('SELECT count(*) FROM messages').pluck().get()).toBe(2);
      db.close();
      expect({ warnings, there: existsSync(aside) }).toEqual({ warnings: [], there: true });
    });
  });

  describe('at once', () => {
    const before = migrations.slice(0, -1);

    it('opens a file that needs nothing', () => {
      const file = join(temporaryFolder(), 'd.sqlite');
      open(file).db.close();
      const opened = openAtOnce(file, { checkAlwaysBelow: 0 });
      expect(opened).toMatchObject({ ok: true });
      if (opened?.ok) opened.value.db.close();
    });

    it('leaves a large file of an older version, and one after a crash, to another thread', () => {
      const file = join(temporaryFolder(), 'd.sqlite');
      open(file, before).db.close();
      expect(openAtOnce(file, { checkAlwaysBelow: 0 })).toBe(null);
      const { db } = open(file);
      // The log of a killed process is still there.
      db.exec("INSERT INTO projects (id, folder, opened_at, body) VALUES ('p', '/p', 1, '{}')");
      expect(openAtOnce(file, { checkAlwaysBelow: 0 })).toBe(null);
      const prepared = openPrepared(file, []);
      expect(prepared).toMatchObject({ ok: true });
      if (prepared.ok) prepared.value.db.close();
      db.close();
    });

    it('leaves a damaged file to another thread, and migrates a small one', () => {
      const file = join(temporaryFolder(), 'd.sqlite');
      open(file, before).db.close();
      const opened = openAtOnce(file);
      expect(opened).toMatchObject({ ok: true });
      if (opened?.ok) opened.value.db.close();
      writeFileSync(file, 'no database'.repeat(500));
      expect(openAtOnce(file)).toBe(null);
      expect(readdirSync(join(file, '..')).filter((one) => one.includes('corrupt'))).toEqual([]);
    });
  });

  it.runIf(process.platform === 'linux')('says that the disk is read-only', () => {
    const folder = temporaryFolder();
    const file = join(folder, 'd.sqlite');
    open(file).db.close();
    try {
      execFileSync('mount', ['--bind', '-o', 'ro', folder, folder], { stdio: 'ignore' });
    } catch {
      return TestRunner.getCurrentTest()?.context.skip('Only root may mount a disk of its own.');
    }
    onTestFinished(() => void execFileSync('umount', ['--lazy', folder]));
    expect(openDatabase(file)).toMatchObject({ ok: false, error: { code: 'database_disk_read_only' } });
  });

  it('returns an error when the file cannot be opened', () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'd.sqlite'));
    expect(openDatabase(join(folder, 'd.sqlite'))).toMatchObject({ ok: false, error: { kind: 'storage' } });
    expect(readdirSync(folder)).toEqual(['d.sqlite']);
  });
});

describe('the migrations', () => {
  it('open a database in which a value of JSON is damaged', () => {
    const file = join(temporaryFolder(), 'd.sqlite');
    const first = open(file, migrations.slice(0, 1)).db;
    first.exec(`
      INSERT INTO store_items VALUES (1, 'n', 'k', 1, 1, 5, 'now', 1, 1, 1);
      INSERT INTO store_versions (item, version, at, size, value) VALUES (1, 1, 1, 5, '{"content": "a');
    `);
    first.close();
    const older = open(file, migrations.slice(0, 13)).db;
    older.exec(`
      INSERT INTO projects (id, folder, opened_at, body) VALUES ('p', '/p', 1, '{');
      INSERT INTO threads (id, project_id, updated_at, phase, seq, info, turn, todos, usage, queue)
        VALUES ('t', 'p', 1, 'idle', 1, '{', '{', '{', '{', '{');
      INSERT INTO rules (id, created_at, body) VALUES ('r', 1, '{"match": {"kind": "path"');
      INSERT INTO memory_uses VALUES ('t', 'cut', '[{"path": "/memories/a"'), ('t', 'text', '["/memories/a"]'),
        ('t', 'fine', '[{"path":"/memories/a"}]');
      INSERT INTO file_changes (project_id, at, path, author, before, after) VALUES ('p', 1, 'a', '{"by', '{', '{');
    `);
    older.close();
    const { db } = open(file);
    const all = (sql: string) => db.prepare(sql).pluck().all();
    expect({
      rules: all('SELECT body FROM rules'),
      uses: all('SELECT body FROM memory_uses ORDER BY message_id'),
      authors: all('SELECT author FROM file_changes'),
      values: all('SELECT value FROM store_log'),
    }).toEqual({
      rules: ['{"match": {"kind": "path"'],
      uses: ['[{"path": "/memories/a"', '[{"path":"/memories/shared/a"}]', '["/memories/a"]'],
      authors: ['{}'],
      values: ['{"content": "a'],
    });
    db.close();
  });
});
