import { type FSWatcher, readFileSync, watch } from 'node:fs';
import { basename, join } from 'node:path';
import { setImmediate as nextRound } from 'node:timers/promises';
import { systemPath, textOfLatin1 } from '../base/path-names';
import { codeOf } from './system';

/** Maximum number of watched folders. Beyond that, every check scans all files. */
const MAX_FOLDERS = 20_000;
/** Fraction of the system's watches that is left to other programs. */
const SHARE = 0.5;
/** Fraction of the system's queue at which events are assumed to be lost. */
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
 * Collects the paths below a folder that the system reports as changed. Linux queues an event before the call that makes the
 * change returns, so one round of the event loop delivers everything that happened so far. Its queue has a fixed size and
 * silently drops further events: if fewer came since the last check, none was dropped. Other systems report events late, so
 * there every check scans all files.
 */
export class FolderWatches {
  /** Relative paths. */
  readonly dirty = new Set<string>();
  /** Folders that were moved, removed or unmounted. Nothing watches them any more. */
  readonly lost = new Set<string>();
  private readonly watchers = new Map<string, FSWatcher>();
  private events = 0;
  private missed = false;
  private isOff = process.platform !== 'linux';
  private readonly most = Math.min(MAX_FOLDERS, limit('max_user_watches', 8_192) * SHARE);
  private readonly queue = limit('max_queued_events', 16_384) * QUEUE_SHARE;

  constructor(private readonly root: string) {}

  /** True if something may have changed without being in `dirty`. */
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
      const ownName = basename(folder === '' ? this.root : folder);
      const watcher = watch(place, { persistent: false, encoding: 'latin1' }, (event, told) => {
        this.events += 1;
        if (told === null) {
          this.missed = true;
          return;
        }
        const name = textOfLatin1(told);
        // It reports itself under its own name.
        if (event === 'rename' && name === ownName) {
          this.remove(folder);
          this.lost.add(folder);
        }
        this.dirty.add(folder === '' ? name : `${folder}/${name}`);
      });
      watcher.on('error', () => {
        this.missed = true;
      });
      this.watchers.set(folder, watcher);
    } catch (thrown) {
      const code = codeOf(thrown);
      if (code === '') throw thrown;
      // No watches left. With any other error the folder is gone, and the next check notices.
      if (code === 'ENOSPC' || code === 'EMFILE') this.close();
    }
  }

  has(folder: string): boolean {
    return this.isOff || this.watchers.has(folder);
  }

  /** Call it for a folder that is gone or was replaced. */
  remove(folder: string): void {
    this.watchers.get(folder)?.close();
    this.watchers.delete(folder);
  }

  /** Resolves when `dirty` contains everything that happened before the call. */
  async settled(): Promise<void> {
    await nextRound();
    await nextRound();
    if (!this.mayHaveMissed) this.events = 0;
  }

  /** Call it when a check of what was reported, or of all files, starts. */
  caughtUp(): void {
    this.dirty.clear();
    this.lost.clear();
    this.events = 0;
    this.missed = false;
  }

  /** Stops watching: every later check scans all files. */
  close(): void {
    for (const watcher of this.watchers.values()) watcher.close();
    this.watchers.clear();
    this.isOff = true;
  }
}
