import { z } from 'zod';
import type { Db } from '../base/sqlite/db';
import type { ActivityEntry } from '../contract/activity';
import { ApprovalMode } from '../contract/control';
import { MemoryChange, ToolCallStatus } from '../contract/conversation';
import { CallId, ProjectId, ThreadId } from '../contract/ids';
import { optional } from '../contract/shared/optional';
import { because, Reasons } from '../contract/shared/reasons';
import { changesFiles, displayOf, runsCommand } from '../harness/tools/catalogue';
import { MAX_ABOUT_LENGTH, openSinceLastSeen, type SinceLastSeen } from './activity-since';
import { jsonField, type OnUnreadable, readBody } from './json-columns';
import type { PastCall } from './rules';

/** A call when it starts. */
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
  /** The person decided on it; otherwise it ran for `reason`. */
  asked: boolean;
  /** False: it only reads the folder. */
  outside: boolean;
  reason: Reasons;
  ruleId: string | null;
  mode: ApprovalMode;
  /** Micro-dollars of the step that requested it. */
  stepCost: number | null;
  /** Sequence number of the thread's event that reports it. */
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
  /** Empty matches everything. */
  query: string;
  looks: boolean;
  before: number | null;
}

export interface Activity extends SinceLastSeen {
  /** Runs in the caller's transaction. A call that runs again, as after a crash, stays one entry. */
  started(call: StartedCall): void;
  /** The call waits for a decision after it ran in a layer or a sandbox: nothing has happened yet. */
  waits(threadId: ThreadId, callId: CallId): void;
  /** Does nothing if the start was not saved. */
  ended(threadId: ThreadId, callId: CallId, end: EndedCall): void;
  /** Ends the thread's open calls together with its turn. */
  cutOff(threadId: ThreadId, seq: number): void;
  /** Calls that ran without asking in threads that are not deleted, newest first. */
  list(filter: ActivityFilter, limit: number): ActivityEntry[];
  /** Like `Rules.pastCalls`, newest first. */
  pastCalls(
    tools: readonly string[],
    within: { threadId: ThreadId } | { projectId: ProjectId } | null,
    limit: number,
  ): PastCall[];
  memoryUndone(threadId: ThreadId, callId: CallId): void;
  reverted(threadId: ThreadId, callId: CallId, revertId: string): void;
  /** Call it when a revert was undone. */
  restored(revertId: string): void;
}

/** UTF-16 units saved of a command and of a result. */
const ABOUT_KEPT = 20_000;
const RESULT_KEPT = 500;
/** UTF-16 units saved of other arguments. */
const ARGS_KEPT = 2_000;

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

/** A call's subject as one text: a command, a path, or its arguments. */
function aboutOf(args: Record<string, unknown>): string {
  if (typeof args.command === 'string') return args.command.slice(0, ABOUT_KEPT);
  if (typeof args.file_path === 'string') return args.file_path.slice(0, ABOUT_KEPT);
  if (typeof args.path === 'string' && Object.keys(args).length === 1) return args.path.slice(0, ABOUT_KEPT);
  return JSON.stringify(args).slice(0, ARGS_KEPT);
}

function prepareChanges(db: Db) {
  return {
    start: db.prepare(
      `INSERT INTO activity (project_id, thread_id, call_id, at, agent, tool, about, asked, outside, reason, rule_id,
         mode, step_cost, started_seq, status)
       VALUES (@projectId, @threadId, @callId, @at, @agent, @tool, @about, @asked, @outside, @reason, @ruleId, @mode,
         @stepCost, @seq, 'running')
       ON CONFLICT (thread_id, call_id) DO UPDATE SET asked = excluded.asked, reason = excluded.reason,
         rule_id = excluded.rule_id, mode = excluded.mode, about = excluded.about, status = 'running',
         ended_seq = NULL`,
    ),
    end: db.prepare(
      `UPDATE activity SET status = @status, exit_code = @exitCode, duration = @duration, result = @result,
         memory = @memory, ended_seq = @seq WHERE thread_id = @threadId AND call_id = @callId`,
    ),
    remove: db.prepare<[string, string]>('DELETE FROM activity WHERE thread_id = ? AND call_id = ?'),
    cutOff: db.prepare<[number, string]>(
      `UPDATE activity SET status = 'cancelled', ended_seq = ? WHERE thread_id = ? AND ended_seq IS NULL`,
    ),
    memoryUndone: db.prepare<[string, string]>(
      `UPDATE activity SET memory = json_set(memory, '$.undone', json('true'))
       WHERE thread_id = ? AND call_id = ? AND memory IS NOT NULL`,
    ),
    reverted: db.prepare<[string, string, string]>(
      'UPDATE activity SET revert_id = ? WHERE thread_id = ? AND call_id = ?',
    ),
    restored: db.prepare<[string]>('UPDATE activity SET revert_id = NULL WHERE revert_id = ?'),
  };
}

/** The name in a reason, such as a rule; for reasons of older versions, their sentence. */
const NAMED_IN_REASON = `CASE WHEN json_valid(a.reason)
  THEN coalesce((SELECT group_concat(atom, char(10)) FROM json_tree(a.reason) WHERE type = 'text' AND key <> 'code'), '')
  ELSE a.reason END`;

/** Older versions saved sentences. */
const reasonsIn = (kept: string): Reasons =>
  readBody(Reasons, kept) ?? (kept === '' ? [] : [because('prose', { text: kept })]);

function prepareQueries(db: Db) {
  return {
    list: db.prepare(
      `SELECT a.*, coalesce(${jsonField('t.info', '$.title')}, '') AS title,
         (SELECT count(DISTINCT f.path) FROM file_changes f
          WHERE f.thread_id = a.thread_id AND f.call_id = a.call_id) AS files
       FROM activity a JOIN threads t ON t.id = a.thread_id
       WHERE a.asked = 0 AND t.deleted_at IS NULL AND a.outside >= @outside AND a.id < @before
         AND (@projectId IS NULL OR a.project_id = @projectId)
         AND (@threadId IS NULL OR a.thread_id = @threadId)
         AND (@ruleId IS NULL OR a.rule_id = @ruleId)
         AND (@query = '' OR instr(lower(a.tool || char(10) || a.about), @query) > 0 OR instr(lower(${NAMED_IN_REASON}), @query) > 0)
       ORDER BY a.id DESC LIMIT @limit`,
    ),
    past: db.prepare<
      [string | null, string | null, string | null, string | null, string, number],
      Pick<Row, 'thread_id' | 'call_id' | 'tool' | 'about'>
    >(
      `SELECT a.thread_id, a.call_id, a.tool, a.about FROM activity a JOIN threads t ON t.id = a.thread_id
       WHERE t.deleted_at IS NULL AND (? IS NULL OR a.thread_id = ?) AND (? IS NULL OR a.project_id = ?)
         AND a.tool IN (SELECT value FROM json_each(?)) ORDER BY a.id DESC LIMIT ?`,
    ),
  };
}

/** The agents' calls with the reasons they were allowed, and how much of them the person has seen. */
export function openActivity(db: Db, onUnreadable: OnUnreadable): Activity {
  const changes = prepareChanges(db);
  const queries = prepareQueries(db);
  return {
    started: ({ args, asked, outside, reason, ...call }) => {
      changes.start.run({
        ...call,
        reason: JSON.stringify(reason),
        about: aboutOf(args),
        asked: asked ? 1 : 0,
        outside: outside ? 1 : 0,
      });
    },
    waits: (threadId, callId) => {
      changes.remove.run(threadId, callId);
    },
    ended: (threadId, callId, { status, result, durationMs, exitCode, memory, seq }) => {
      changes.end.run({
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
      changes.cutOff.run(seq, threadId);
    },
    list: ({ query, looks, before, ...place }, limit) =>
      (
        queries.list.all({
          ...place,
          query: query.trim().toLowerCase(),
          outside: looks ? 0 : 1,
          before: before ?? Number.MAX_SAFE_INTEGER,
          limit,
        }) as Row[]
      ).flatMap((row) => readEntry(row, onUnreadable) ?? []),
    pastCalls: (tools, within, limit) => {
      const threadId = within !== null && 'threadId' in within ? within.threadId : null;
      const projectId = within !== null && 'projectId' in within ? within.projectId : null;
      return queries.past
        .all(threadId, threadId, projectId, projectId, JSON.stringify(tools), limit)
        .flatMap(({ thread_id, call_id, tool, about }) => {
          // A truncated command could be judged as a different one.
          if (about.length >= ABOUT_KEPT) return [];
          const args = argsOf(tool, about);
          return [{ threadId: ThreadId.parse(thread_id), callId: CallId.parse(call_id), tool, args }];
        });
    },
    memoryUndone: (threadId, callId) => {
      changes.memoryUndone.run(threadId, callId);
    },
    reverted: (threadId, callId, revertId) => {
      changes.reverted.run(revertId, threadId, callId);
    },
    restored: (revertId) => {
      changes.restored.run(revertId);
    },
    ...openSinceLastSeen(db),
  };
}

function readEntry(row: Row, onUnreadable: OnUnreadable): ActivityEntry | null {
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
    ...optional({ display: displayOf(row.tool) }),
    about: row.about.slice(0, MAX_ABOUT_LENGTH),
    reason: reasonsIn(row.reason),
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
}

/** The arguments of a call that rules check. */
function argsOf(tool: string, about: string): Record<string, unknown> {
  if (runsCommand(tool)) return { command: about };
  if (changesFiles(tool)) return { file_path: about };
  return readBody(z.record(z.string(), z.unknown()), about) ?? { arguments: about };
}
