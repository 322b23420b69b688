import { lstat } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { type FSWatcher, watch as watchPath } from 'chokidar';

/** Milliseconds for which changes are collected: a save is several events, a checkout thousands. */
const GATHER_FOR = 100;
/** Maximum names in one report. Beyond that, `all` is cheaper. */
const MAX_NAMED = 1_000;
/** Milliseconds between two checks of each file if the system cannot report changes. */
const POLL_EVERY = 2_000;
/**
 * So many changes in one turn of the event loop may be all that fitted into the kernel's queue (Linux), which drops the rest
 * without a word: half of its usual length, because changes that nobody listens to fill it too.
 */
const FULL_QUEUE = 8_192;
/** The system has no watches left (Linux: fs.inotify.max_user_watches) or no descriptors. */
const EXHAUSTED = ['ENOSPC', 'EMFILE', 'ENFILE'];

export interface FolderChange {
  /** Absolute paths of watched directories with changes. */
  directories: string[];
  /** Absolute paths of files and directories in them that were created, changed or removed. */
  files: string[];
  /** Too many changes to list; both lists are empty. */
  all: boolean;
}

export interface FolderListener {
  onChange(change: FolderChange): void;
  /** The folder was deleted, renamed or unmounted. Called once; nothing is watched afterwards. */
  onGone(): void;
  /** Changes are found later than usual; `message` is a sentence for the person. Called once. */
  onDegraded(): void;
}

export interface FolderWatcher {
  /**
   * Watches one more directory (absolute), without its subdirectories. Resolves when changes are detected: list the
   * directory after that. A directory outside the folder, or a link, is not watched.
   */
  watch(directory: string): Promise<void>;
  unwatch(directory: string): void;
  close(): Promise<void>;
}

/**
 * Watches a project folder (absolute real path): its top level immediately, further directories when they are shown.
 * Directories that are not shown cost nothing, so a folder of a million files is as cheap as a small one. Links are not
 * followed.
 */
export function watchFolder(folder: string, listener: FolderListener, start = watchPath): FolderWatcher {
  const directories = new WatchedDirectories(folder, listener, start);
  return {
    watch: (directory) => directories.watch(directory),
    unwatch: (directory) => directories.unwatch(directory),
    close: () => directories.close(),
  };
}

/** The watched directories of one folder, and their changes since the last report. */
class WatchedDirectories {
  /** `settle` resolves the promise for the initial scan. */
  private readonly watched = new Map<string, { watcher: FSWatcher; settle(): void }>();
  private readonly directories = new Set<string>();
  private readonly files = new Set<string>();
  private readonly identity: Promise<string | null>;
  private readonly atTop: Promise<void>;
  private isPolling = false;
  private isOver = false;
  private isOverflowing = false;
  private gathering: NodeJS.Timeout | undefined;

  constructor(
    private readonly folder: string,
    private readonly listener: FolderListener,
    private readonly start: typeof watchPath,
  ) {
    this.identity = identify(folder);
    queue.watchers.add(this);
    // No event reports a folder that was removed before it was watched.
    this.atTop = this.add(folder).then(async () => void (await this.isThere()));
  }

  async watch(directory: string): Promise<void> {
    if (directory === this.folder) return this.atTop;
    if (!this.isNew(directory) || !isInside(this.folder, directory)) return;
    // Concurrent calls for the same directory watch it once.
    if ((await identify(directory)) !== null && this.isNew(directory)) await this.add(directory);
  }

  unwatch(directory: string): void {
    if (directory !== this.folder) this.remove(directory);
  }

  async close(): Promise<void> {
    this.isOver = true;
    queue.watchers.delete(this);
    clearTimeout(this.gathering);
    const open = [...this.watched.values()];
    this.watched.clear();
    await Promise.all(open.map(({ watcher }) => watcher.close()));
    for (const { settle } of open) settle();
  }

  /** The system may have dropped changes of any directory: everything has to be listed again. */
  overflowed(): void {
    this.isOverflowing = true;
    this.note(this.folder, this.folder);
  }

  private isNew(directory: string): boolean {
    return !this.isOver && !this.watched.has(directory);
  }

  private add(directory: string): Promise<void> {
    // The watch of a directory covers its files; only polling must check each file.
    const watcher = this.start(directory, {
      depth: 0,
      ignoreInitial: true,
      followSymlinks: false,
      usePolling: this.isPolling,
      interval: POLL_EVERY,
      binaryInterval: POLL_EVERY,
      ...(this.isPolling ? {} : { ignored: (_path, stats) => stats !== undefined && !stats.isDirectory() }),
    });
    watcher.on('all', (_event, path) => this.note(directory, path));
    watcher.on('raw', (_event, name, details) => {
      if (this.isPolling) return;
      queue.count();
      // A directory also reports itself, under its name, when it is moved or its times change.
      const isHere =
        typeof details === 'object' &&
        details !== null &&
        'watchedPath' in details &&
        details.watchedPath === directory;
      if (!isHere) return;
      this.note(directory, name ? join(directory, name) : directory);
    });
    return new Promise((resolve) => {
      this.watched.set(directory, { watcher, settle: resolve });
      watcher.once('ready', () => resolve());
      watcher.on('error', (error) => {
        if (error instanceof Error && 'code' in error && EXHAUSTED.includes(String(error.code)))
          this.degrade();
        else this.note(directory, directory);
        resolve();
      });
    });
  }

  private note(directory: string, path: string): void {
    if (this.isOver) return;
    this.directories.add(directory);
    if (path !== directory && this.files.size <= MAX_NAMED) this.files.add(path);
    this.gathering ??= setTimeout(() => void this.report(), GATHER_FOR);
  }

  /** Whether the folder is still the original one. If not, it reports that and stops watching. */
  private async isThere(): Promise<boolean> {
    const [now, first] = await Promise.all([identify(this.folder), this.identity]);
    if (this.isOver) return false;
    if (now !== null && now === first) return true;
    void this.close();
    this.listener.onGone();
    return false;
  }

  private async report(): Promise<void> {
    this.gathering = undefined;
    if (!(await this.isThere())) return;
    // The previous report, which has just finished, included these.
    if (this.directories.size === 0) return;
    const all = this.isOverflowing || this.files.size > MAX_NAMED || this.directories.size > MAX_NAMED;
    this.isOverflowing = false;
    const change = all
      ? { directories: [], files: [] }
      : { directories: [...this.directories], files: [...this.files] };
    this.directories.clear();
    this.files.clear();
    await Promise.all(
      change.directories.map(async (directory) => {
        if ((await identify(directory)) === null) this.remove(directory);
      }),
    );
    if (this.isOver) return;
    this.listener.onChange({ ...change, all });
  }

  private degrade(): void {
    if (this.isPolling || this.isOver) return;
    this.isPolling = true;
    const shown = [...this.watched.keys()];
    // Watchers that are still in their initial scan are closed. Their callers now wait for the replacements.
    const waiting = shown.map((directory) => ({ directory, settle: this.stop(directory) }));
    for (const { directory, settle } of waiting) void this.add(directory).then(settle);
    this.listener.onDegraded();
  }

  /** Returns the function that resolves the promise for the initial scan. */
  private stop(directory: string): (() => void) | undefined {
    const open = this.watched.get(directory);
    // Nothing depends on the close.
    void open?.watcher.close();
    this.watched.delete(directory);
    return open?.settle;
  }

  private remove(directory: string): void {
    this.stop(directory)?.();
  }
}

/**
 * All watches of the process share one queue in the kernel. Node reports no overflow, but drains a full queue in one turn of
 * the event loop.
 */
class ChangeQueue {
  readonly watchers = new Set<WatchedDirectories>();
  private inTurn = 0;

  count(): void {
    if (this.inTurn === 0) setImmediate(() => this.endTurn());
    this.inTurn += 1;
  }

  private endTurn(): void {
    const isFull = this.inTurn >= FULL_QUEUE;
    this.inTurn = 0;
    if (isFull) for (const watcher of this.watchers) watcher.overflowed();
  }
}
const queue = new ChangeQueue();

/** Distinguishes a directory from one that replaced it; null if it is gone. */
const identify = (directory: string): Promise<string | null> =>
  lstat(directory).then(
    (stats) => (stats.isDirectory() ? `${stats.dev}:${stats.ino}` : null),
    () => null,
  );

function isInside(folder: string, path: string): boolean {
  const inside = relative(folder, path);
  return inside.split(sep)[0] !== '..' && !isAbsolute(inside);
}
