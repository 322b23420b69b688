import type { Db } from '../base/sqlite/db';
import type { PlaceId } from '../contract/ids';
import { Place } from '../contract/places';
import { type OnUnreadable, readBodies } from './json-columns';

export interface PlacesTable {
  /** Those that are not removed, oldest first. */
  list(): Place[];
  /** Adds a place or replaces the one with its id. */
  save(place: Place): void;
  /** Hides a place; false if there is none. */
  remove(id: PlaceId, at: number): boolean;
  /** A removed place, which is kept until `forget`; null if there is none. */
  removed(id: PlaceId): Place | null;
  restore(id: PlaceId): void;
  /** Erases places that were removed before that time, and returns their ids. */
  forget(before: number): PlaceId[];
}

export function openPlaces(db: Db, onUnreadable: OnUnreadable): PlacesTable {
  type Row = { id: string; body: string };
  const list = db.prepare<[], Row>(
    'SELECT id, body FROM places WHERE removed_at IS NULL ORDER BY created_at, rowid',
  );
  const save = db.prepare<[string, string | null, number, string]>(
    `INSERT INTO places (id, project_id, created_at, body) VALUES (?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET project_id = excluded.project_id, body = excluded.body`,
  );
  const remove = db.prepare<[number, string]>(
    'UPDATE places SET removed_at = ? WHERE id = ? AND removed_at IS NULL',
  );
  const removed = db.prepare<[string], Row>(
    'SELECT id, body FROM places WHERE id = ? AND removed_at IS NOT NULL',
  );
  const restore = db.prepare<[string]>('UPDATE places SET removed_at = NULL WHERE id = ?');
  const forget = db
    .prepare<[number], PlaceId>('DELETE FROM places WHERE removed_at < ? RETURNING id')
    .pluck();
  const read = (rows: Row[]) => readBodies('places', Place, rows, onUnreadable);
  return {
    list: () => read(list.all()),
    save: (place) => {
      save.run(place.id, place.projectId, place.createdAt, JSON.stringify(place));
    },
    remove: (id, at) => remove.run(at, id).changes === 1,
    removed: (id) => read(removed.all(id))[0] ?? null,
    restore: (id) => {
      restore.run(id);
    },
    forget: (before) => forget.all(before),
  };
}
