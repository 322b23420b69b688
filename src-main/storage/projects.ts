import type { Db } from '../base/sqlite/db';
import { Project } from '../contract/app';
import type { ProjectId } from '../contract/ids';
import { jsonField, type OnUnreadable, readBodies } from './json-columns';

export interface Projects {
  /** Adds or changes a project. A removed one is shown again. */
  save(project: Project): void;
  /** Also finds a removed one. */
  get(id: ProjectId): Project | null;
  /**
   * Finds a project by its real path, most recently opened first. Also finds a removed one, so that its threads come back
   * with it.
   */
  byFolder(folder: string): Project | null;
  /** Projects that are not removed, most recently opened first. */
  list(): Project[];
  /** The private copies of a project, removed ones included. */
  copiesOf(id: ProjectId): Project[];
  /** The private copies that were removed at the same time as their project, which is still removed. */
  removedWith(id: ProjectId): Project[];
  /** Removes it from the list. Its threads stay. One that is removed already stays so as of then. */
  remove(id: ProjectId, at: number): void;
  /** Shows a removed project again. False if there is none. */
  restore(id: ProjectId): boolean;
}

export function openProjects(db: Db, onUnreadable: OnUnreadable): Projects {
  type Row = { id: string; body: string };
  const save = db.prepare<[string, string, number, string]>(
    `INSERT INTO projects (id, folder, opened_at, body) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE
     SET folder = excluded.folder, opened_at = excluded.opened_at, body = excluded.body, removed_at = NULL`,
  );
  const get = db.prepare<[string], Row>('SELECT id, body FROM projects WHERE id = ?');
  const byFolder = db.prepare<[string], Row>(
    'SELECT id, body FROM projects WHERE folder = ? ORDER BY opened_at DESC',
  );
  const list = db.prepare<[], Row>(
    'SELECT id, body FROM projects WHERE removed_at IS NULL ORDER BY opened_at DESC',
  );
  const copiesOf = db.prepare<[string], Row>(
    `SELECT id, body FROM projects WHERE ${jsonField('body', '$.copy.of')} = ?`,
  );
  const removedWith = db.prepare<[string], Row>(
    `SELECT c.id, c.body FROM projects c JOIN projects p ON p.id = ${jsonField('c.body', '$.copy.of')}
     WHERE p.id = ? AND c.removed_at = p.removed_at`,
  );
  const remove = db.prepare<[number, string]>(
    'UPDATE projects SET removed_at = ? WHERE id = ? AND removed_at IS NULL',
  );
  const restore = db.prepare<[string]>(
    'UPDATE projects SET removed_at = NULL WHERE id = ? AND removed_at IS NOT NULL',
  );
  const read = (rows: Row[]) => readBodies('projects', Project, rows, onUnreadable);
  /** Caches the last read of each project, because every call and every text for the model asks for it. */
  const last = new Map<string, { body: string; project: Project }>();

  return {
    save: (project) => {
      save.run(project.id, project.folder, project.openedAt, JSON.stringify(project));
    },
    get: (id) => {
      const row = get.get(id);
      if (row === undefined) return null;
      const known = last.get(id);
      if (known?.body === row.body) return { ...known.project };
      const [project] = read([row]);
      if (project === undefined) return null;
      last.set(id, { body: row.body, project });
      return { ...project };
    },
    byFolder: (folder) => read(byFolder.all(folder))[0] ?? null,
    list: () => read(list.all()),
    copiesOf: (id) => read(copiesOf.all(id)),
    removedWith: (id) => read(removedWith.all(id)),
    remove: (id, at) => {
      remove.run(at, id);
    },
    restore: (id) => restore.run(id).changes === 1,
  };
}
