import type { Db } from '../base/sqlite/db';
import { unsynced } from '../base/sqlite/unsynced';
import { TerminalInfo } from '../contract/app';
import type { TerminalId, ThreadId } from '../contract/ids';
import { type OnUnreadable, readBodies } from './json-columns';

/** UTF-16 units of output kept for one terminal; the oldest output is dropped first. */
const OUTPUT_KEPT = 2_000_000;

export interface Terminals {
  save(terminal: TerminalInfo): void;
  get(id: TerminalId): TerminalInfo | null;
  /** Oldest first. */
  list(): TerminalInfo[];
  ofThread(threadId: ThreadId): TerminalInfo[];
  /**
   * Appends output of a saved terminal. Each call is one durable write, so join pieces for about 100 ms. Returns the UTF-16
   * units printed since the terminal started.
   */
  append(id: TerminalId, data: string): number;
  /** The saved output. `offset` is the number of UTF-16 units printed before it. */
  output(id: TerminalId): { offset: number; data: string };
  /** Removes it with its output. */
  remove(id: TerminalId): void;
  /** Marks all terminals that ran when Deepdesk last exited as `lost` and returns them. */
  loseRunning(at: number): TerminalInfo[];
  /** Deletes the oldest exited terminals, except for the newest `keep`. */
  prune(keep: number): void;
}

export function openTerminals(db: Db, onUnreadable: OnUnreadable, kept = OUTPUT_KEPT): Terminals {
  type Row = { id: string; body: string };
  const save = db.prepare(
    `INSERT INTO terminals (id, project_id, thread_id, started_at, ended_at, body)
     VALUES (@id, @projectId, @threadId, @startedAt, @endedAt, @body)
     ON CONFLICT (id) DO UPDATE SET ended_at = excluded.ended_at, body = excluded.body`,
  );
  const get = db.prepare<[string], Row>('SELECT id, body FROM terminals WHERE id = ?');
  const list = db.prepare<[], Row>('SELECT id, body FROM terminals ORDER BY started_at, rowid');
  const ofThread = db.prepare<[string], Row>(
    'SELECT id, body FROM terminals WHERE thread_id = ? ORDER BY started_at, rowid',
  );
  const running = db.prepare<[], Row>('SELECT id, body FROM terminals WHERE ended_at IS NULL');
  const remove = db.prepare<[string]>('DELETE FROM terminals WHERE id = ?');
  const prune = db.prepare<[number]>(
    `DELETE FROM terminals WHERE id IN (SELECT id FROM terminals WHERE ended_at IS NOT NULL
     ORDER BY started_at DESC, rowid DESC LIMIT -1 OFFSET ?)`,
  );
  const end = db.prepare<[string], { at: number }>(
    'SELECT start + length AS at FROM terminal_output WHERE terminal_id = ? ORDER BY start DESC LIMIT 1',
  );
  const append = db.prepare<[string, number, number, string]>(
    'INSERT INTO terminal_output VALUES (?, ?, ?, ?)',
  );
  const drop = db.prepare<[string, number]>(
    'DELETE FROM terminal_output WHERE terminal_id = ? AND start + length <= ?',
  );
  const pieces = db.prepare<[string], { start: number; data: string }>(
    'SELECT start, data FROM terminal_output WHERE terminal_id = ? ORDER BY start',
  );
  /** The first half of a character cut between two pieces, because half a character cannot be stored as text. */
  const halves = new Map<TerminalId, string>();
  const read = (rows: Row[]) => readBodies('terminals', TerminalInfo, rows, onUnreadable);

  const write = (terminal: TerminalInfo) => {
    const { id, projectId, threadId, startedAt, endedAt } = terminal;
    save.run({ id, projectId, threadId, startedAt, endedAt, body: JSON.stringify(terminal) });
  };
  const add = db.transaction((id: TerminalId, data: string): number => {
    const start = end.get(id)?.at ?? 0;
    append.run(id, start, data.length, data);
    drop.run(id, start + data.length - kept);
    return start + data.length;
  });
  const loseRunning = db.transaction((at: number): TerminalInfo[] =>
    read(running.all()).map((terminal) => {
      const lost: TerminalInfo = { ...terminal, status: 'lost', endedAt: at };
      write(lost);
      return lost;
    }),
  );

  return {
    save: write,
    get: (id) => read(get.all(id))[0] ?? null,
    list: () => read(list.all()),
    ofThread: (threadId) => read(ofThread.all(threadId)),
    append: (id, data) => {
      const whole = (halves.get(id) ?? '') + data;
      const isCut = /[\uD800-\uDBFF]$/.test(whole);
      if (isCut) halves.set(id, whole.slice(-1));
      else halves.delete(id);
      const text = isCut ? whole.slice(0, -1) : whole;
      // Nobody is told that output is saved, so it does not wait for the disk.
      const written = text === '' ? (end.get(id)?.at ?? 0) : unsynced(db, () => add.immediate(id, text));
      return written + (isCut ? 1 : 0);
    },
    output: (id) => {
      const rows = pieces.all(id);
      const data = rows.map((row) => row.data).join('') + (halves.get(id) ?? '');
      const cut = Math.max(0, data.length - kept);
      return { offset: (rows[0]?.start ?? 0) + cut, data: data.slice(cut) };
    },
    remove: (id) => {
      halves.delete(id);
      remove.run(id);
    },
    loseRunning: (at) => loseRunning.immediate(at),
    prune: (keep) => {
      prune.run(keep);
    },
  };
}
