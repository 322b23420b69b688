import { z } from 'zod';
import type { Db } from '../base/sqlite/db';
import type { ProjectId, ThreadId } from '../contract/ids';
import { OutsideSource } from '../contract/shared/outside-source';
import { type OnUnreadable, readBody } from './json-columns';

const Sources = z.array(OutsideSource);

export interface OutsideCall {
  threadId: ThreadId;
  callId: string;
  /** The file that the call writes, relative to the folder with `/`; null if only the record of changes knows what it wrote. */
  path: string | null;
  sources: OutsideSource[];
}

/** Files of one project that may contain text from outside. */
interface OutsideFile {
  path: string;
  sources: OutsideSource[];
}

export interface OutsideCalls {
  /** Adds the call, or replaces it. */
  note(projectId: ProjectId, call: OutsideCall): void;
  /** Where the text in the file may come from, by what calls of any thread wrote. */
  ofFile(projectId: ProjectId, path: string): OutsideSource[];
  /** The files that such calls wrote, the latest first. */
  files(projectId: ProjectId): OutsideFile[];
}

/** Files that are compared with what a command or a search names. */
const MAX_FILES = 5_000;

export function openOutsideCalls(db: Db, onUnreadable: OnUnreadable): OutsideCalls {
  type Row = { id: string; sources: string };
  const note = db.prepare(
    `INSERT INTO outside_calls (project_id, thread_id, call_id, path, sources) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (project_id, thread_id, call_id) DO UPDATE SET path = excluded.path, sources = excluded.sources`,
  );
  const ofFile = db.prepare<[string, string, string, string], Row>(
    `SELECT call_id AS id, sources FROM outside_calls WHERE project_id = ? AND path = ?
     UNION
     SELECT o.call_id AS id, o.sources FROM file_changes f
     JOIN outside_calls o ON o.project_id = f.project_id AND o.thread_id = f.thread_id AND o.call_id = f.call_id
     WHERE f.project_id = ? AND f.path = ?`,
  );
  const files = db.prepare<[string, string, number], Row & { path: string }>(
    `SELECT path, id, sources FROM (
       SELECT f.path, o.call_id AS id, o.sources, f.id AS row FROM outside_calls o
       JOIN file_changes f ON f.thread_id = o.thread_id AND f.call_id = o.call_id AND f.project_id = o.project_id
       WHERE o.project_id = ?
       UNION ALL
       SELECT path, call_id, sources, 0 FROM outside_calls WHERE project_id = ? AND path IS NOT NULL
     ) GROUP BY path, sources ORDER BY max(row) DESC LIMIT ?`,
  );
  const read = ({ id, sources }: Row): OutsideSource[] => {
    const known = readBody(Sources, sources);
    if (known === null) onUnreadable('outside_calls', id);
    return known ?? [];
  };
  return {
    note: (projectId, { threadId, callId, path, sources }) =>
      void note.run(projectId, threadId, callId, path, JSON.stringify(sources)),
    ofFile: (projectId, path) => ofFile.all(projectId, path, projectId, path).flatMap(read),
    files: (projectId) =>
      files.all(projectId, projectId, MAX_FILES).map((row) => ({ path: row.path, sources: read(row) })),
  };
}
