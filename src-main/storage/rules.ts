import type { Db } from '../base/sqlite/db';
import { Rule } from '../contract/control';
import { Message } from '../contract/conversation';
import { CallId, type ProjectId, ThreadId } from '../contract/ids';
import { jsonField, type OnUnreadable, readBodies, readBody } from './json-columns';

/** A tool call of an earlier conversation. */
export interface PastCall {
  threadId: ThreadId;
  callId: CallId;
  tool: string;
  args: Record<string, unknown>;
}

export interface Rules {
  save(rule: Rule): void;
  get(id: string): Rule | null;
  /** All scopes, oldest first. */
  list(): Rule[];
  /** Rules that apply in a thread: those of the thread, of its project or the project that it is a copy of, and the person's. */
  applying(projectId: ProjectId, threadId: ThreadId): Rule[];
  /** False if there is none. */
  remove(id: string): boolean;
  /** The latest calls of a tool by agents, newest first: in a thread, a project, or everywhere (null). */
  pastCalls(
    tools: readonly string[],
    within: { threadId: ThreadId } | { projectId: ProjectId } | null,
    limit: number,
  ): PastCall[];
}

/** Messages searched for earlier calls. */
const LOOKED_THROUGH = 5_000;

export function openRules(db: Db, onUnreadable: OnUnreadable): Rules {
  type Row = { id: string; body: string };
  const save = db.prepare<[string, string | null, string | null, number, string]>(
    `INSERT INTO rules (id, thread_id, project_id, created_at, body) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET thread_id = excluded.thread_id, project_id = excluded.project_id,
     body = excluded.body`,
  );
  const get = db.prepare<[string], Row>('SELECT id, body FROM rules WHERE id = ?');
  const list = db.prepare<[], Row>('SELECT id, body FROM rules ORDER BY created_at, rowid');
  const applying = db.prepare<[string, string, string], Row>(
    `SELECT id, body FROM rules WHERE (thread_id IS NULL AND project_id IS NULL) OR project_id = ? OR thread_id = ?
     OR project_id = (SELECT ${jsonField('p.body', '$.copy.of')} FROM projects p WHERE p.id = ?)
     ORDER BY created_at, rowid`,
  );
  const remove = db.prepare<[string]>('DELETE FROM rules WHERE id = ?');
  const past = db.prepare<
    [string | null, string | null, string | null, string | null, number],
    Row & { thread: string }
  >(
    `SELECT m.id, m.thread_id AS thread, m.body FROM messages m JOIN threads t ON t.id = m.thread_id
     WHERE t.deleted_at IS NULL AND (? IS NULL OR m.thread_id = ?) AND (? IS NULL OR t.project_id = ?)
     AND ${jsonField('m.body', '$.calls[0].callId')} IS NOT NULL ORDER BY m.rowid DESC LIMIT ?`,
  );
  const read = (rows: Row[]) => readBodies('rules', Rule, rows, onUnreadable);

  return {
    save: (rule) => {
      const { scope } = rule;
      const threadId = scope.kind === 'thread' ? scope.threadId : null;
      const projectId = scope.kind === 'project' ? scope.projectId : null;
      save.run(rule.id, threadId, projectId, rule.createdAt, JSON.stringify(rule));
    },
    get: (id) => read(get.all(id))[0] ?? null,
    list: () => read(list.all()),
    applying: (projectId, threadId) => read(applying.all(projectId, threadId, projectId)),
    remove: (id) => remove.run(id).changes === 1,
    pastCalls: (tools, within, limit) => {
      const threadId = within !== null && 'threadId' in within ? within.threadId : null;
      const projectId = within !== null && 'projectId' in within ? within.projectId : null;
      const calls: PastCall[] = [];
      for (const row of past.iterate(threadId, threadId, projectId, projectId, LOOKED_THROUGH)) {
        const message = readBody(Message, row.body);
        if (message?.role !== 'agent') continue;
        for (const { callId, name, args } of message.calls.toReversed())
          if (tools.includes(name))
            calls.push({
              threadId: ThreadId.parse(row.thread),
              callId: CallId.parse(callId),
              tool: name,
              args,
            });
        if (calls.length >= limit) break;
      }
      return calls.slice(0, limit);
    },
  };
}
