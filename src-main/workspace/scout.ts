import { spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { join } from 'node:path';
import { findOddIgnoreFile, hasOddIgnoreFile, MAX_IGNORE_FILE } from '../base/ignore-files';
import { openRegularSync } from '../base/open-regular-sync';
import { isRefused } from '../base/regular-file';
import { ripgrepCommand } from '../base/ripgrep';
import type { Result } from '../contract/result';
import { ignoredIn } from './ignored';
import { LargeFolders, type LargeLister, type LargePage } from './large-folders';
import type { Marks } from './marks';
import { marksOf } from './marks';
import { Names } from './names';
import { type Ranked, rank } from './rank';

export interface Found {
  /** The best matches. */
  matches: Ranked[];
  /** Number of matching files. */
  total: number;
  /** Number of known files. */
  files: number;
  listing: boolean;
}

/** Finds files of folders by name, reports their git marks, and lists large directories. Runs in a worker. */
export interface ScoutApi extends LargeLister {
  find(folder: string, query: string, limit: number): Promise<Found>;
  marks(folder: string): Promise<Marks>;
  /** The entries of the directories that ignore files exclude. All paths are relative to the folder, with `/`. */
  ignored(folder: string, directories: readonly string[]): Promise<string[]>;
  /** Something was added or removed: the next request lists the folder again. */
  changed(folder: string): Promise<void>;
}

interface Listed {
  names: Names;
  /** The names of a listing in progress. The older listing is used until it is done. */
  coming: Names | null;
  isStale: boolean;
  listedAt: number;
  done: Promise<void>;
}

/** Folders whose names are kept; the least recently used one is dropped. */
const MAX_FOLDERS = 2;
/** Milliseconds after which a folder is listed again on request, because not all of it is watched. */
const FRESH_FOR = 10_000;
/** Maximum files listed for a folder. */
const MAX_FILES = 2_000_000;

/** Implements the scout. `program`: ripgrep; if null, nothing is found. */
export class Scout implements ScoutApi {
  private readonly folders = new Map<string, Listed>();
  private readonly large = new LargeFolders();

  constructor(private readonly program: string | null) {}

  async find(folder: string, query: string, limit: number): Promise<Found> {
    const listed = this.listed(folder);
    const names = listed.coming !== null && listed.names.count === 0 ? listed.coming : listed.names;
    const { best, total } = rank(names, query, limit);
    return { matches: best, total, files: names.count, listing: listed.coming !== null };
  }

  async marks(folder: string): Promise<Marks> {
    const listed = this.listed(folder);
    await listed.done;
    return marksOf(folder, listed.names);
  }

  async ignored(folder: string, directories: readonly string[]): Promise<string[]> {
    // Without the program nothing is listed, and everything would seem to be ignored.
    if (this.program === null) return [];
    const listed = this.listed(folder);
    await listed.done;
    return listed.names.count > MAX_FILES ? [] : ignoredIn(folder, listed.names, directories);
  }

  async changed(folder: string): Promise<void> {
    const listed = this.folders.get(folder);
    if (listed) listed.isStale = true;
  }

  page(directory: string, shown: string, begin: number, end: number): Promise<Result<LargePage>> {
    return this.large.page(directory, shown, begin, end);
  }

  private listed(folder: string): Listed {
    const known = this.folders.get(folder);
    const now = performance.now();
    const listed = known ?? {
      names: new Names(),
      coming: null,
      isStale: true,
      listedAt: Number.NEGATIVE_INFINITY,
      done: Promise.resolve(),
    };
    this.folders.delete(folder);
    this.folders.set(folder, listed);
    for (const oldest of this.folders.keys()) {
      if (this.folders.size <= MAX_FOLDERS) break;
      this.folders.delete(oldest);
    }
    if (listed.coming === null && (listed.isStale || now - listed.listedAt > FRESH_FOR)) {
      listed.isStale = false;
      const coming = new Names(process.platform === 'win32');
      listed.coming = coming;
      listed.done = this.list(folder, coming).then(() => {
        listed.names = coming;
        listed.coming = null;
        listed.listedAt = performance.now();
      });
    }
    return listed;
  }

  private async list(folder: string, names: Names): Promise<void> {
    const { program } = this;
    if (program === null) return;
    if (!(await hasOddIgnoreFile(folder)) && (await runList(program, folder, names, RULES))) return;
    // Something that is not a regular ignore file would block it. Nothing is ignored then.
    names.clear();
    await runList(program, folder, names, ['--no-ignore']);
  }
}

/** Milliseconds after which ripgrep is assumed to be blocked or to read something endless. */
const STALLED = 2_000;

/** Returns false if an odd ignore file blocked it or it needed too much memory. */
function runList(program: string, folder: string, names: Names, rules: readonly string[]): Promise<boolean> {
  const handed = rules === RULES ? openExclude(folder) : null;
  return new Promise((resolve) => {
    const more = handed === null ? rules : [...rules, '--ignore-file=/dev/fd/3'];
    const { file, args } = ripgrepCommand(program, [...ARGUMENTS, ...more]);
    const child = spawn(file, args, {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'ignore', ...(handed === null ? [] : [handed])],
      windowsHide: true,
      env: process.platform === 'win32' ? { SystemRoot: process.env.SystemRoot, PATH: process.env.PATH } : {},
    });
    if (handed !== null) closeSync(handed);
    let isOdd = false;
    let isEnough = false;
    // This runs in a worker, where synchronous checks block nobody.
    const timer = setTimeout(() => {
      isOdd = rules === RULES && findOddIgnoreFile(folder, () => false);
      if (isOdd) child.kill('SIGKILL');
    }, STALLED);
    child.stdout?.on('data', (part: Buffer) => {
      names.add(part);
      isEnough = names.count > MAX_FILES;
      if (isEnough) child.kill('SIGKILL');
    });
    child.on('error', () => resolve(true));
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve(!isOdd && (isEnough || code !== null));
    });
  });
}

/** The ignore file of this clone (`info/exclude`), opened. */
function openExclude(folder: string): number | null {
  // Windows has no names for open files.
  if (process.platform === 'win32') return null;
  const exclude = openRegularSync(join(folder, '.git/info/exclude'), { root: folder });
  if (isRefused(exclude)) return null;
  if (exclude.stats.size <= MAX_IGNORE_FILE) return exclude.fd;
  closeSync(exclude.fd);
  return null;
}

/** Includes hidden files and excludes what the folder's ignore files name, like the agent's searches. */
const ARGUMENTS = ['--files', '--null', '--hidden', '--glob=!.git', '--no-messages'];
const RULES: readonly string[] = [];
