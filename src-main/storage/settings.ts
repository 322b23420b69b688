import type { z } from 'zod';
import type { Db } from '../base/sqlite/db';
import { Settings } from '../contract/app';
import { DEFAULT_SETTINGS } from '../contract/default-settings';
import { type OnUnreadable, readBody } from './json-columns';

/** Absent or undefined settings stay unchanged. */
type SettingsChange = { [K in keyof Settings]?: Settings[K] | undefined };

export interface SettingsTable {
  /** The person's settings, with defaults where nothing was chosen. */
  read(): Settings;
  /** The person's spending limits, read before each request. */
  spending(): Settings['spending'];
  /** Returns all settings after the change. */
  change(changes: SettingsChange): Settings;
  /** Any other value stored by name (addresses of providers, positions of windows). Null if absent or unreadable. */
  get<S extends z.ZodType>(key: string, schema: S): z.infer<S> | null;
  set(key: string, value: unknown): void;
  /** All stored settings as one text, which stays the same while nothing changes. */
  stamp(): string;
  remove(key: string): void;
}

export function openSettings(db: Db, onUnreadable: OnUnreadable): SettingsTable {
  const select = db.prepare<[string], { body: string }>('SELECT body FROM settings WHERE key = ?');
  const whole = db.prepare<[], [string, string]>('SELECT key, body FROM settings ORDER BY key').raw();
  const set = db.prepare<[string, string]>('INSERT OR REPLACE INTO settings VALUES (?, ?)');
  const remove = db.prepare<[string]>('DELETE FROM settings WHERE key = ?');
  const get = <S extends z.ZodType>(key: string, schema: S): z.infer<S> | null => {
    const row = select.get(key);
    if (!row) return null;
    const value = readBody(schema, row.body);
    if (value === null) onUnreadable('settings', key);
    return value;
  };
  const spending = () => get('app.spending', Settings.shape.spending) ?? DEFAULT_SETTINGS.spending;
  // Each setting is a separate row: if one no longer parses, only that one falls back.
  const read = (): Settings =>
    Settings.parse(
      Object.fromEntries(
        Settings.keyof().options.map((key) => [
          key,
          get(`app.${key}`, Settings.shape[key]) ?? DEFAULT_SETTINGS[key],
        ]),
      ),
    );
  const change = db.transaction((changes: SettingsChange) => {
    for (const [key, value] of Object.entries(changes)) {
      if (value !== undefined) set.run(`app.${key}`, JSON.stringify(value));
    }
  });

  return {
    read,
    spending,
    change: (changes) => {
      change.immediate(changes);
      return read();
    },
    get,
    stamp: () => JSON.stringify(whole.all()),
    set: (key, value) => {
      set.run(key, JSON.stringify(value));
    },
    remove: (key) => {
      remove.run(key);
    },
  };
}
