import { z } from 'zod';
import type { Db } from '../base/sqlite/db';
import { unsynced } from '../base/sqlite/unsynced';
import { ChangeAuthor, FileState } from '../contract/changes';
import type { ProjectId } from '../contract/ids';
import { type AgentAuthor, type FileChanges, hashesIn, type PathChange } from './file-changes';
import { type OnUnreadable, readBody } from './json-columns';

/** A path as it is before a change. */
export type PathState = Pick<PathChange, 'path' | 'before'>;

/** What a call may be changing in a place. */
export interface PlaceWrite {
  author: AgentAuthor;
  before: PathState[];
}

export interface PlaceWrites {
  /** Call it before a call changes files of a place. */
  begin(projectId: ProjectId, write: PlaceWrite): void;
  /** Records what the call changed there. Atomic. `by`: the author of the changes, by default the call's. */
  end(
    projectId: ProjectId,
    author: AgentAuthor,
    at: number,
    changes: readonly PathChange[],
    by?: ChangeAuthor,
  ): void;
  /** Those that began and did not end. */
  open(projectId: ProjectId): PlaceWrite[];
  /** Hashes of the contents that open ones need, of all projects. */
  hashes(): string[];
}

const PathStates = z.array(z.object({ path: z.string(), before: FileState }));

export function openPlaceWrites(
  db: Db,
  fileChanges: Pick<FileChanges, 'insert'>,
  onUnreadable: OnUnreadable,
): PlaceWrites {
  const begin = db.prepare(
    `INSERT INTO place_writes (project_id, thread_id, call_id, author, before) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (thread_id, call_id) DO NOTHING`,
  );
  const end = db.prepare<[string, string]>('DELETE FROM place_writes WHERE thread_id = ? AND call_id = ?');
  const open = db.prepare<[string], { id: string; author: string; before: string }>(
    'SELECT call_id AS id, author, before FROM place_writes WHERE project_id = ? ORDER BY rowid',
  );
  const all = db.prepare<[], string>('SELECT before FROM place_writes').pluck();
  const record = db.transaction<PlaceWrites['end']>((projectId, author, at, changes, by = author) => {
    fileChanges.insert(projectId, by, at, changes);
    end.run(author.threadId, author.callId);
  });
  return {
    begin: (projectId, { author, before }) => {
      const { threadId, callId } = author;
      unsynced(db, () =>
        begin.run(projectId, threadId, callId, JSON.stringify(author), JSON.stringify(before)),
      );
    },
    end: (...args) => unsynced(db, () => record.immediate(...args)),
    open: (projectId) =>
      open.all(projectId).flatMap(({ id, ...bodies }) => {
        const author = readBody(ChangeAuthor, bodies.author);
        const before = readBody(PathStates, bodies.before);
        if (author?.by === 'agent' && before !== null) return [{ author, before }];
        onUnreadable('place_writes', id);
        return [];
      }),
    hashes: () =>
      all.all().flatMap((text) => hashesIn((readBody(PathStates, text) ?? []).map(({ before }) => before))),
  };
}
