import { type FSWatcher, readFileSync, watch } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextRound } from 'node:timers/promises';
import { systemPath, textOfLatin1 } from '../base/path-names';
import { codeOf } from './system';

/** Folders that are watched at most; beyond that every look goes through all files. */
const MAX_FOLDERS = 20_000;
/** Part of the system's watches that is left to others. */
const SHARE = 0.5;
/** Part of the system's queue at which events are taken to have been lost. */
const QUEUE_SHARE = 0.9;

const limit = (name: string, otherwise: number): number => {
  try {
    return Number(readFileSync(`/proc/sys/fs/inotify/${name}`, 'utf8')) || otherwise;
  } catch (thrown) {
    if (codeOf(thrown) === '') throw thrown;
    return otherwise;
  }
};

/**
 * What the system says changed below a folder, by path. Linux queues an event before the change's own call returns, so
 * that all that happened until now is known after one round of the event loop. Its queue holds so many events and drops
 * the rest without a word: where fewer came since the last look, none was dropped. Elsewhere events come late, so there
 * every look goes through all files.
 */
export class FolderWatches {
  /** Relative paths. */
  readonly dirty = new Set<string>();
  private readonly watchers = new Map<string, FSWatcher>();
  private events = 0;
  private missed = false;
  private isOff = process.platform !== 'linux';
  private readonly most = Math.min(MAX_FOLDERS, limit('max_user_watches', 8_192) * SHARE);
  private readonly queue = limit('max_queued_events', 16_384) * QUEUE_SHARE;

  constructor(private readonly root: string) {}

  /** Something may have changed without being in `dirty`. */
  get mayHaveMissed(): boolean {
    return this.isOff || this.missed || this.events >= this.queue;
  }

  add(folder: string): void {
    if (this.isOff || this.watchers.has(folder)) return;
    if (this.watchers.size >= this.most) {
      this.close();
      return;
    }
    try {
      const place = systemPath(join(this.root, folder));
      const watcher = watch(place, { persistent: false, encoding: 'latin1' }, (_event, told) => {
        this.events += 1;
        if (told === null) {
          this.missed = true;
          return;
        }
        const name = textOfLatin1(told);
        this.dirty.add(folder === '' ? name : `${folder}/${name}`);
      });
      watcher.on('error', () => {
        this.missed = true;
      });
      this.watchers.set(folder, watcher);
    } catch (thrown) {
      const code = codeOf(thrown);
      if (code === '') throw thrown;
      // No watches left. Anything else: it is gone, and whoever looks at it finds out.
      if (code === 'ENOSPC' || code === 'EMFILE') this.close();
    }
  }

  has(folder: string): boolean {
    return this.isOff || this.watchers.has(folder);
  }

  /** A folder that is gone or is another one now. */
  remove(folder: string): void {
    this.watchers.get(folder)?.close();
    this.watchers.delete(folder);
  }

  /** Resolves when `dirty` has all that happened until the call. */
  async settled(): Promise<void> {
    await nextRound();
    await nextRound();
    if (!this.mayHaveMissed) this.events = 0;
  }

  /** A look through all files begins. */
  caughtUp(): void {
    this.dirty.clear();
    this.events = 0;
    this.missed = false;
  }

  /** Watches no more: every look goes through all files from now on. */
  close(): void {
    for (const watcher of this.watchers.values()) watcher.close();
    this.watchers.clear();
    this.isOff = true;
  }
}
