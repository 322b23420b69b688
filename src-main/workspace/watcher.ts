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
  /** `settle` resolves what waits for its first look. */
  const watched = new Map<string, { watcher: FSWatcher; settle(): void }>();
  const directories = new Set<string>();
  const files = new Set<string>();
  const identity = identify(folder);
  let isPolling = false;
  let isOver = false;
  let gathering: NodeJS.Timeout | undefined;

  function add(directory: string): Promise<void> {
    // The files of a directory are watched through the directory; only polling has to look at each.
    const watcher = start(directory, {
      depth: 0,
      ignoreInitial: true,
      followSymlinks: false,
      usePolling: isPolling,
      interval: POLL_EVERY,
      binaryInterval: POLL_EVERY,
      ...(isPolling ? {} : { ignored: (_path, stats) => stats !== undefined && !stats.isDirectory() }),
    });
    watcher.on('all', (_event, path) => note(directory, path));
    watcher.on('raw', (_event, name, details) => {
      if (isPolling) return;
      // A directory also tells of itself, by its own name, when it is moved or its times change.
      const isHere =
        typeof details === 'object' &&
        details !== null &&
        'watchedPath' in details &&
        details.watchedPath === directory;
      if (!isHere) return;
      note(directory, name ? join(directory, name) : directory);
    });
    return new Promise((resolve) => {
      watched.set(directory, { watcher, settle: resolve });
      watcher.once('ready', () => resolve());
      watcher.on('error', (error) => {
        if (error instanceof Error && 'code' in error && EXHAUSTED.includes(String(error.code))) degrade();
        else note(directory, directory);
        resolve();
      });
    });
  }

  function note(directory: string, path: string): void {
    if (isOver) return;
    directories.add(directory);
    if (path !== directory && files.size <= MAX_NAMED) files.add(path);
    gathering ??= setTimeout(() => void report(), GATHER_FOR);
  }

  /** Whether the folder is still the one that was there at first. If not, that is said and nothing more is watched. */
  async function isThere(): Promise<boolean> {
    const [now, first] = await Promise.all([identify(folder), identity]);
    if (isOver) return false;
    if (now !== null && now === first) return true;
    void end();
    listener.onGone();
    return false;
  }

  async function report(): Promise<void> {
    gathering = undefined;
    if (!(await isThere())) return;
    // Told with the report before, which came to its end meanwhile.
    if (directories.size === 0) return;
    const all = files.size > MAX_NAMED || directories.size > MAX_NAMED;
    const change = all
      ? { directories: [], files: [] }
      : { directories: [...directories], files: [...files] };
    directories.clear();
    files.clear();
    await Promise.all(
      change.directories.map(async (directory) => {
        if ((await identify(directory)) === null) remove(directory);
      }),
    );
    if (isOver) return;
    listener.onChange({ ...change, all });
  }

  function degrade(): void {
    if (isPolling || isOver) return;
    isPolling = true;
    const shown = [...watched.keys()];
    // Those that had not looked yet never will: who waits for one waits for the one in its place.
    const waiting = shown.map((directory) => ({ directory, settle: close(directory) }));
    for (const { directory, settle } of waiting) void add(directory).then(settle);
    listener.onDegraded(
      'The system has no file watches left, so changes made by other programs show up a few seconds late. Raising fs.inotify.max_user_watches helps.',
    );
  }

  function close(directory: string): (() => void) | undefined {
    const open = watched.get(directory);
    // Closing waits for nothing anybody needs.
    void open?.watcher.close();
    watched.delete(directory);
    return open?.settle;
  }

  function remove(directory: string): void {
    close(directory)?.();
  }

  async function end(): Promise<void> {
    isOver = true;
    clearTimeout(gathering);
    const open = [...watched.values()];
    watched.clear();
    await Promise.all(open.map(({ watcher }) => watcher.close()));
    for (const { settle } of open) settle();
  }

  // Nothing tells of a folder that went before it was watched.
  const atTop = add(folder).then(async () => void (await isThere()));
  return {
    async watch(directory) {
      if (directory === folder) return atTop;
      if (isOver || watched.has(directory) || !isInside(folder, directory)) return;
      // Asked for twice at once, it is watched once.
      if ((await identify(directory)) !== null && !isOver && !watched.has(directory)) await add(directory);
    },
    unwatch(directory) {
      if (directory !== folder) remove(directory);
    },
    close: end,
  };
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
