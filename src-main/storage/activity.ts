import { z } from 'zod';
import type { Db } from '../base/sqlite/db';
import type { ActivityEntry, SinceSeen } from '../contract/activity';
import { FileState, sameState } from '../contract/changes';
import { ApprovalMode } from '../contract/control';
import { MemoryChange, ToolCallStatus } from '../contract/conversation';
import { CallId, ProjectId, ThreadId } from '../contract/ids';
import { changesFiles, runsCommand } from '../harness/tools/catalogue';
import { type OnUnreadable, readBody } from './body';
import type { PastCall } from './rules';

/** A call as it starts. */
export interface StartedCall {
  projectId: ProjectId;
  threadId: ThreadId;
  callId: CallId;
  /** Milliseconds since 1970. */
  at: number;
  /** Null for the thread's own agent. */
  agent: string | null;
  tool: string;
  args: Record<string, unknown>;
  /** The person decided on it; else it ran for `reason`. */
  asked: boolean;
  /** False: it only looks into the folder. */
  outside: boolean;
  reason: string;
  ruleId: string | null;
  mode: ApprovalMode;
  /** Micro-dollars of the step that asked for it. */
  stepCost: number | null;
  /** Number of the thread's event that says so. */
  seq: number;
}

interface EndedCall {
  status: ToolCallStatus;
  result: string;
  durationMs: number;
  exitCode?: number | null | undefined;
  memory?: MemoryChange | undefined;
  seq: number;
}

export interface ActivityFilter {
  projectId: ProjectId | null;
  threadId: ThreadId | null;
  ruleId: string | null;
  /** Empty: all. */
  query: string;
  looks: boolean;
  before: number | null;
}

export interface Activity {
  /** Part of the transaction it is called in. A call that is run again, as after a crash, stays one entry. */
  started(call: StartedCall): void;
  /** Nothing where it was not written as it started. */
  ended(threadId: ThreadId, callId: CallId, end: EndedCall): void;
  /** What the thread left open ends with its turn. */
  cutOff(threadId: ThreadId, seq: number): void;
  /** What was not asked about, the last first, of threads that are not deleted. */
  list(filter: ActivityFilter, limit: number): ActivityEntry[];
  /** As `Rules.pastCalls`, the last first. */
  pastCalls(
    tools: readonly string[],
    within: { threadId: ThreadId } | { projectId: ProjectId } | null,
    limit: number,
  ): PastCall[];
  memoryUndone(threadId: ThreadId, callId: CallId): void;
  reverted(threadId: ThreadId, callId: CallId, revertId: string): void;
  /** A revert was itself taken back. */
  restored(revertId: string): void;
  /** The person has the thread before them as it is at event `seq`. */
  see(threadId: ThreadId, seq: number, at: number): void;
  /** What happened since; null where nothing did, or the thread was never seen. `waiting` is for others to say. */
  since(threadId: ThreadId): Omit<SinceSeen, 'waiting'> | null;
}

/** UTF-16 units that are kept of a command, and of a result. */
const ABOUT_KEPT = 20_000;
const RESULT_KEPT = 500;
/** UTF-16 units of other arguments. */
const ARGS_KEPT = 2_000;
/** UTF-16 units of a command that is shown. */
const ABOUT_SHOWN = 2_000;
const FILES_LISTED = 50;
const FAILED_LISTED = 10;

interface Row {
  id: number;
  project_id: string;
  thread_id: string;
  call_id: string;
  at: number;
  agent: string | null;
  tool: string;
  about: string;
  outside: number;
  reason: string;
  rule_id: string | null;
  mode: string;
  step_cost: number | null;
  status: string;
  exit_code: number | null;
  duration: number | null;
  result: string | null;
  memory: string | null;
  revert_id: string | null;
  title: string;
  files: number;
}

/** What a call is about, in one text: a command, a path, or its arguments. */
function aboutOf(args: Record<string, unknown>): string {
  if (typeof args.command === 'string') return args.command.slice(0, ABOUT_KEPT);
  if (typeof args.file_path === 'string') return args.file_path.slice(0, ABOUT_KEPT);
  if (typeof args.path === 'string' && Object.keys(args).length === 1) return args.path.slice(0, ABOUT_KEPT);
  return JSON.stringify(args).slice(0, ARGS_KEPT);
}

/** What agents did, with what let them, and how much of it the person has seen. */
export function openActivity(db: Db, onUnreadable: OnUnreadable): Activity {
  const start = db.prepare(
    `INSERT INTO activity (project_id, thread_id, call_id, at, agent, tool, about, asked, outside, reason, rule_id,
       mode, step_cost, started_seq, status)
     VALUES (@projectId, @threadId, @callId, @at, @agent, @tool, @about, @asked, @outside, @reason, @ruleId, @mode,
       @stepCost, @seq, 'running')
     ON CONFLICT (thread_id, call_id) DO UPDATE SET asked = excluded.asked, reason = excluded.reason,
       rule_id = excluded.rule_id, mode = excluded.mode, about = excluded.about, status = 'running',
       ended_seq = NULL`,
  );
  const end = db.prepare(
    `UPDATE activity SET status = @status, exit_code = @exitCode, duration = @duration, result = @result,
       memory = @memory, ended_seq = @seq WHERE thread_id = @threadId AND call_id = @callId`,
  );
  const cutOff = db.prepare<[number, string]>(
    `UPDATE activity SET status = 'cancelled', ended_seq = ? WHERE thread_id = ? AND ended_seq IS NULL`,
  );
  const list = db.prepare(
    `SELECT a.*, json_extract(t.info, '$.title') AS title,
       (SELECT count(DISTINCT f.path) FROM file_changes f
        WHERE f.thread_id = a.thread_id AND f.call_id = a.call_id) AS files
     FROM activity a JOIN threads t ON t.id = a.thread_id
     WHERE a.asked = 0 AND t.deleted_at IS NULL AND a.outside >= @outside AND a.id < @before
       AND (@projectId IS NULL OR a.project_id = @projectId)
       AND (@threadId IS NULL OR a.thread_id = @threadId)
       AND (@ruleId IS NULL OR a.rule_id = @ruleId)
       AND (@query = '' OR instr(lower(a.tool || char(10) || a.about || char(10) || a.reason), @query) > 0)
     ORDER BY a.id DESC LIMIT @limit`,
  );
  const past = db.prepare<
    [string | null, string | null, string | null, string | null, string, number],
    Pick<Row, 'thread_id' | 'call_id' | 'tool' | 'about'>
  >(
    `SELECT a.thread_id, a.call_id, a.tool, a.about FROM activity a JOIN threads t ON t.id = a.thread_id
     WHERE t.deleted_at IS NULL AND (? IS NULL OR a.thread_id = ?) AND (? IS NULL OR a.project_id = ?)
       AND a.tool IN (SELECT value FROM json_each(?)) ORDER BY a.id DESC LIMIT ?`,
  );
  const memoryUndone = db.prepare<[string, string]>(
    `UPDATE activity SET memory = json_set(memory, '$.undone', json('true'))
     WHERE thread_id = ? AND call_id = ? AND memory IS NOT NULL`,
  );
  const reverted = db.prepare<[string, string, string]>(
    'UPDATE activity SET revert_id = ? WHERE thread_id = ? AND call_id = ?',
  );
  const restored = db.prepare<[string]>('UPDATE activity SET revert_id = NULL WHERE revert_id = ?');
  // Numbers beyond what is saved, of text that streams, are given again after a crash.
  const see = db.prepare(
    `INSERT INTO seen (thread_id, at, seq, file_change, spending)
     SELECT id, @at, min(@seq, seq), (SELECT coalesce(max(id), 0) FROM file_changes),
       (SELECT coalesce(max(id), 0) FROM spending) FROM threads WHERE id = @threadId
     ON CONFLICT (thread_id) DO UPDATE SET at = excluded.at, seq = max(seq, excluded.seq),
       file_change = excluded.file_change, spending = excluded.spending
     WHERE excluded.seq >= seq`,
  );
  type Seen = { at: number; seq: number; fileChange: number; spending: number; now: number };
  const seen = db.prepare<[string], Seen>(
    `SELECT s.at, s.seq, s.file_change AS fileChange, s.spending, t.seq AS now
     FROM seen s JOIN threads t ON t.id = s.thread_id WHERE s.thread_id = ?`,
  );
  const calls = db.prepare<
    [string, number, number],
    Pick<Row, 'call_id' | 'tool' | 'about' | 'outside' | 'status' | 'exit_code' | 'memory'> & {
      asked: number;
    }
  >(
    `SELECT call_id, tool, about, outside, asked, status, exit_code, memory FROM activity
     WHERE thread_id = ? AND (started_seq > ? OR ended_seq > ?) ORDER BY id`,
  );
  const changed = db.prepare<[string, number], { path: string; before: string; after: string }>(
    `SELECT path, before, after FROM file_changes
     WHERE thread_id = ? AND id > ? AND json_extract(author, '$.by') <> 'revert' ORDER BY id`,
  );
  const cost = db.prepare<[string, number], { cost: number; unpriced: number }>(
    `SELECT coalesce(sum(cost), 0) AS cost, count(*) FILTER (WHERE cost IS NULL) AS unpriced
     FROM spending WHERE thread_id = ? AND id > ?`,
  );

  const read = (row: Row): ActivityEntry | null => {
    const status = ToolCallStatus.safeParse(row.status);
    const mode = ApprovalMode.safeParse(row.mode);
    if (!status.success || !mode.success) {
      onUnreadable('activity', String(row.id));
      return null;
    }
    const memory = row.memory === null ? null : readBody(MemoryChange, row.memory);
    const hasEnded = status.data !== 'running';
    return {
      id: row.id,
      projectId: ProjectId.parse(row.project_id),
      threadId: ThreadId.parse(row.thread_id),
      title: row.title,
      callId: CallId.parse(row.call_id),
      at: row.at,
      ...(row.agent === null ? {} : { agent: row.agent }),
      tool: row.tool,
      about: row.about.slice(0, ABOUT_SHOWN),
      reason: row.reason,
      ...(row.rule_id === null ? {} : { ruleId: row.rule_id }),
      mode: mode.data,
      outside: row.outside === 1,
      status: status.data,
      ...(hasEnded && runsCommand(row.tool) ? { exitCode: row.exit_code } : {}),
      ...(row.duration === null ? {} : { durationMs: row.duration }),
      ...(row.result === null ? {} : { result: row.result }),
      ...(row.step_cost === null ? {} : { stepCostMicroDollars: row.step_cost }),
      files: row.files,
      ...(memory === null ? {} : { memory }),
      undone: row.revert_id !== null,
    };
  };

  return {
    started: ({ args, asked, outside, ...call }) => {
      start.run({ ...call, about: aboutOf(args), asked: asked ? 1 : 0, outside: outside ? 1 : 0 });
    },
    ended: (threadId, callId, { status, result, durationMs, exitCode, memory, seq }) => {
      end.run({
        threadId,
        callId,
        status,
        exitCode: exitCode ?? null,
        duration: durationMs,
        result: result.slice(0, RESULT_KEPT),
        memory: memory === undefined ? null : JSON.stringify(memory),
        seq,
      });
    },
    cutOff: (threadId, seq) => {
      cutOff.run(seq, threadId);
    },
    list: ({ query, looks, before, ...place }, limit) =>
      (
        list.all({
          ...place,
          query: query.trim().toLowerCase(),
          outside: looks ? 0 : 1,
          before: before ?? Number.MAX_SAFE_INTEGER,
          limit,
        }) as Row[]
      ).flatMap((row) => read(row) ?? []),
    pastCalls: (tools, within, limit) => {
      const threadId = within !== null && 'threadId' in within ? within.threadId : null;
      const projectId = within !== null && 'projectId' in within ? within.projectId : null;
      return past
        .all(threadId, threadId, projectId, projectId, JSON.stringify(tools), limit)
        .flatMap(({ thread_id, call_id, tool, about }) => {
          // A command that was cut would be judged as another one.
          if (about.length >= ABOUT_KEPT) return [];
          const args = argsOf(tool, about);
          return [{ threadId: ThreadId.parse(thread_id), callId: CallId.parse(call_id), tool, args }];
        });
    },
    memoryUndone: (threadId, callId) => {
      memoryUndone.run(threadId, callId);
    },
    reverted: (threadId, callId, revertId) => {
      reverted.run(revertId, threadId, callId);
    },
    restored: (revertId) => {
      restored.run(revertId);
    },
    see: (threadId, seq, at) => {
      see.run({ threadId, seq, at });
    },
    since: (threadId) => {
      const last = seen.get(threadId);
      if (last === undefined || last.now <= last.seq) return null;
      const rows = calls.all(threadId, last.seq, last.seq);
      const commands = rows.filter(({ tool }) => runsCommand(tool));
      const failed = commands.filter(
        ({ status, exit_code }) =>
          status === 'failed' || status === 'cancelled' || (exit_code !== null && exit_code !== 0),
      );
      const memories = rows.flatMap(({ memory }) =>
        memory === null ? [] : (readBody(MemoryChange, memory) ?? []),
      );
      const files = filesOf(changed.all(threadId, last.fileChange));
      const spent = cost.get(threadId, last.spending);
      return {
        at: last.at,
        files: files.slice(0, FILES_LISTED),
        more: Math.max(0, files.length - FILES_LISTED),
        commands: {
          run: commands.length,
          failed: failed.slice(0, FAILED_LISTED).map(({ call_id, about, exit_code }) => ({
            callId: CallId.parse(call_id),
            text: about.slice(0, ABOUT_SHOWN),
            exitCode: exit_code,
          })),
          failedCount: failed.length,
        },
        memories,
        unasked: rows.filter(({ asked, outside }) => asked === 0 && outside === 1).length,
        costMicroDollars: spent?.cost ?? 0,
        unpriced: spent?.unpriced ?? 0,
      };
    },
  };
}

/** The arguments of a call as far as rules look at them. */
function argsOf(tool: string, about: string): Record<string, unknown> {
  if (runsCommand(tool)) return { command: about };
  if (changesFiles(tool)) return { file_path: about };
  return readBody(z.record(z.string(), z.unknown()), about) ?? { arguments: about };
}

/** From before the first of these changes to after the last, by path; what is as it was, and folders, are left out. */
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
