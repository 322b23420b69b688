import { lstat } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { type FSWatcher, watch as watchPath } from 'chokidar';

/** Milliseconds changes are gathered: a save is several events, a checkout thousands. */
const GATHER_FOR = 100;
/** Names in one report; beyond that `all` is cheaper for everybody. */
const MAX_NAMED = 1_000;
/** Milliseconds between two looks at each file where the system cannot tell of changes. */
const POLL_EVERY = 2_000;
/** The system has no watches left (Linux: fs.inotify.max_user_watches) or no descriptors. */
const EXHAUSTED = ['ENOSPC', 'EMFILE', 'ENFILE'];

export interface FolderChange {
  /** Absolute paths of watched directories in which something changed. */
  directories: string[];
  /** Absolute paths of the files and directories in them that were created, changed or removed. */
  files: string[];
  /** Too much changed to name; both lists are empty. */
  all: boolean;
}

export interface FolderListener {
  onChange(change: FolderChange): void;
  /** The folder was deleted, renamed or unmounted. Said once; nothing is watched afterwards. */
  onGone(): void;
  /** Changes are found later than usual; a sentence for the person. Said once. */
  onDegraded(message: string): void;
}

export interface FolderWatcher {
  /**
   * Watches one more directory (absolute), not what is below it. Resolves when changes are seen: list it after that.
   * A directory outside the folder, or a link, is not watched.
   */
  watch(directory: string): Promise<void>;
  unwatch(directory: string): void;
  close(): Promise<void>;
}

/**
 * Watches a project folder (absolute real path): its top level at once, further directories as they are shown. What is not
 * shown costs nothing, so a folder of a million files is as cheap as a small one. Links are not followed.
 */
export function watchFolder(folder: string, listener: FolderListener, start = watchPath): FolderWatcher {
  const directories = new WatchedDirectories(folder, listener, start);
  return {
    watch: (directory) => directories.watch(directory),
    unwatch: (directory) => directories.unwatch(directory),
    close: () => directories.close(),
  };
}

/** The watched directories of one folder, and what changed in them since the last report. */
class WatchedDirectories {
  /** `settle` resolves what waits for its first look. */
  private readonly watched = new Map<string, { watcher: FSWatcher; settle(): void }>();
  private readonly directories = new Set<string>();
  private readonly files = new Set<string>();
  private readonly identity: Promise<string | null>;
  private readonly atTop: Promise<void>;
  private isPolling = false;
  private isOver = false;
  private gathering: NodeJS.Timeout | undefined;

  constructor(
    private readonly folder: string,
    private readonly listener: FolderListener,
    private readonly start: typeof watchPath,
  ) {
    this.identity = identify(folder);
    // Nothing tells of a folder that went before it was watched.
    this.atTop = this.add(folder).then(async () => void (await this.isThere()));
  }

  async watch(directory: string): Promise<void> {
    if (directory === this.folder) return this.atTop;
    if (!this.isNew(directory) || !isInside(this.folder, directory)) return;
    // Asked for twice at once, it is watched once.
    if ((await identify(directory)) !== null && this.isNew(directory)) await this.add(directory);
  }

  unwatch(directory: string): void {
    if (directory !== this.folder) this.remove(directory);
  }

  async close(): Promise<void> {
    this.isOver = true;
    clearTimeout(this.gathering);
    const open = [...this.watched.values()];
    this.watched.clear();
    await Promise.all(open.map(({ watcher }) => watcher.close()));
    for (const { settle } of open) settle();
  }

  private isNew(directory: string): boolean {
    return !this.isOver && !this.watched.has(directory);
  }

  private add(directory: string): Promise<void> {
    // The files of a directory are watched through the directory; only polling has to look at each.
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
      // A directory also tells of itself, by its own name, when it is moved or its times change.
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

  /** Whether the folder is still the one that was there at first. If not, that is said and nothing more is watched. */
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
    // Told with the report before, which came to its end meanwhile.
    if (this.directories.size === 0) return;
    const all = this.files.size > MAX_NAMED || this.directories.size > MAX_NAMED;
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
    // Those that had not looked yet never will: who waits for one waits for the one in its place.
    const waiting = shown.map((directory) => ({ directory, settle: this.stop(directory) }));
    for (const { directory, settle } of waiting) void this.add(directory).then(settle);
    this.listener.onDegraded(
      'The system has no file watches left, so changes made by other programs show up a few seconds late. Raising fs.inotify.max_user_watches helps.',
    );
  }

  /** Gives what resolves those who wait for its first look. */
  private stop(directory: string): (() => void) | undefined {
    const open = this.watched.get(directory);
    // Closing waits for nothing anybody needs.
    void open?.watcher.close();
    this.watched.delete(directory);
    return open?.settle;
  }

  private remove(directory: string): void {
    this.stop(directory)?.();
  }
}

/** Tells a directory from another one that took its place; null when it is gone. */
const identify = (directory: string): Promise<string | null> =>
  lstat(directory).then(
    (stats) => (stats.isDirectory() ? `${stats.dev}:${stats.ino}` : null),
    () => null,
  );

function isInside(folder: string, path: string): boolean {
  const inside = relative(folder, path);
  return inside.split(sep)[0] !== '..' && !isAbsolute(inside);
}
