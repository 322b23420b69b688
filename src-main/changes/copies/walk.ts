import type { Stats } from 'node:fs';
import { yieldToEventLoop } from '../../base/yield-to-event-loop';
import { Excluded, isTemporary } from '../excluded';
import { FolderReader } from '../folder-reader';
import { Tracked } from './tracked';

export interface Found {
  /** Relative to the folder, with `/`. */
  path: string;
  stats: Stats;
  /** Git ignores it and does not track it, or it belongs to a tool or a repository: it is not compared. */
  excluded: boolean;
}

/** Everything in a folder, each folder before its entries. Follows no links. `skips`: leaves out an entry with its content. */
export async function* entriesBelow(
  root: string,
  skips: (path: string, excluded: boolean) => boolean,
  signal?: AbortSignal,
): AsyncGenerator<Found> {
  const reader = new FolderReader(root);
  const rules = new Excluded(root);
  const folders = [{ path: '', excluded: false }];
  const tracked = new Tracked(root);
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = reader.entriesOf(folder.path);
    if (entries.some(({ name }) => name === '.git')) tracked.enter(folder.path);
    if (!folder.excluded)
      rules.enter(
        folder.path,
        entries.some(({ name }) => name === '.gitignore'),
      );
    for (const entry of entries) {
      await yieldToEventLoop(signal);
      const path = folder.path === '' ? entry.name : `${folder.path}/${entry.name}`;
      if (isTemporary(entry.name)) continue;
      const isIgnored = folder.excluded || rules.has(path, entry.name, entry.isDirectory());
      const excluded = isIgnored && !tracked.has(path);
      if (skips(path, excluded)) continue;
      const stats = reader.statOf(path);
      if (stats === null) continue;
      if (stats.isDirectory()) folders.push({ path, excluded: isIgnored });
      yield { path, stats, excluded };
    }
  }
}
