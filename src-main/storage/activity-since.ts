import type { Db } from '../base/sqlite/db';
import type { SinceSeen } from '../contract/activity';
import { FileState, sameState } from '../contract/changes';
import { MemoryChange } from '../contract/conversation';
import { CallId, type ThreadId } from '../contract/ids';
import { runsCommand } from '../harness/tools/catalogue';
import { jsonField, readBody } from './json-columns';

export interface SinceLastSeen {
  /** Records that the person has seen the thread up to event `seq`. */
  see(threadId: ThreadId, seq: number, at: number): void;
  /** What happened since; null if nothing did or the thread was never seen. Others add `waiting`. */
  since(threadId: ThreadId): Omit<SinceSeen, 'waiting'> | null;
}

/** UTF-16 units of a command that are shown. */
export const MAX_ABOUT_LENGTH = 2_000;
const FILES_LISTED = 50;
const FAILED_LISTED = 10;

interface Seen {
  at: number;
  seq: number;
  fileChange: number;
  spending: number;
  now: number;
}

interface CallRow {
  call_id: string;
  tool: string;
  about: string;
  outside: number;
  asked: number;
  status: string;
  exit_code: number | null;
  memory: string | null;
}

function prepareStatements(db: Db) {
  return {
    // Sequence numbers above the saved ones, from streaming text, are assigned again after a crash.
    see: db.prepare(
      `INSERT INTO seen (thread_id, at, seq, file_change, spending)
       SELECT id, @at, min(@seq, seq), (SELECT coalesce(max(id), 0) FROM file_changes),
         (SELECT coalesce(max(id), 0) FROM spending) FROM threads WHERE id = @threadId
       ON CONFLICT (thread_id) DO UPDATE SET at = excluded.at, seq = max(seq, excluded.seq),
         file_change = excluded.file_change, spending = excluded.spending
       WHERE excluded.seq >= seq`,
    ),
    seen: db.prepare<[string], Seen>(
      `SELECT s.at, s.seq, s.file_change AS fileChange, s.spending, t.seq AS now
       FROM seen s JOIN threads t ON t.id = s.thread_id WHERE s.thread_id = ?`,
    ),
    calls: db.prepare<[string, number, number], CallRow>(
      `SELECT call_id, tool, about, outside, asked, status, exit_code, memory FROM activity
       WHERE thread_id = ? AND (started_seq > ? OR ended_seq > ?) ORDER BY id`,
    ),
    changed: db.prepare<[string, number], { path: string; before: string; after: string }>(
      `SELECT path, before, after FROM file_changes
       WHERE thread_id = ? AND id > ? AND ${jsonField('author', '$.by')} <> 'revert' ORDER BY id`,
    ),
    cost: db.prepare<[string, number], { cost: number; unpriced: number }>(
      `SELECT coalesce(sum(cost), 0) AS cost, count(*) FILTER (WHERE cost IS NULL) AS unpriced
       FROM spending WHERE thread_id = ? AND id > ?`,
    ),
  };
}

/** Tracks how much of each thread's activity the person has seen. */
export function openSinceLastSeen(db: Db): SinceLastSeen {
  const statements = prepareStatements(db);
  return {
    see: (threadId, seq, at) => {
      statements.see.run({ threadId, seq, at });
    },
    since: (threadId) => {
      const last = statements.seen.get(threadId);
      if (last === undefined || last.now <= last.seq) return null;
      const rows = statements.calls.all(threadId, last.seq, last.seq);
      const commands = rows.filter(({ tool }) => runsCommand(tool));
      const failed = commands.filter(
        ({ status, exit_code }) =>
          status === 'failed' || status === 'cancelled' || (exit_code !== null && exit_code !== 0),
      );
      const memories = rows.flatMap(({ memory }) =>
        memory === null ? [] : (readBody(MemoryChange, memory) ?? []),
      );
      const files = filesOf(statements.changed.all(threadId, last.fileChange));
      const spent = statements.cost.get(threadId, last.spending);
      return {
        at: last.at,
        files: files.slice(0, FILES_LISTED),
        more: Math.max(0, files.length - FILES_LISTED),
        commands: {
          run: commands.length,
          failed: failed.slice(0, FAILED_LISTED).map(({ call_id, about, exit_code }) => ({
            callId: CallId.parse(call_id),
            text: about.slice(0, MAX_ABOUT_LENGTH),
            exitCode: exit_code,
          })),
          failedCount: failed.length,
        },
        memories,
        autoApproved: rows.filter(({ asked, outside }) => asked === 0 && outside === 1).length,
        costMicroDollars: spent?.cost ?? 0,
        unpriced: spent?.unpriced ?? 0,
      };
    },
  };
}

/** Combines the changes of each path from before the first to after the last. Omits unchanged paths and folders. */
function filesOf(rows: readonly { path: string; before: string; after: string }[]): SinceSeen['files'] {
  const ends = new Map<string, { before: string; after: string }>();
  for (const { path, before, after } of rows) {
    const known = ends.get(path);
    if (known === undefined) ends.set(path, { before, after });
    else known.after = after;
  }
  return [...ends]
    .flatMap(([path, texts]) => {
      const before = readBody(FileState, texts.before);
      const after = readBody(FileState, texts.after);
      if (before === null || after === null || sameState(before, after)) return [];
      if (before.type === 'dir' || after.type === 'dir') return [];
      const change =
        before.type === 'absent'
          ? ('added' as const)
          : after.type === 'absent'
            ? ('removed' as const)
            : ('changed' as const);
      return [{ path, change }];
    })
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}
