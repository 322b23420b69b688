import { spawn } from 'node:child_process';
import type { Result } from '../contract/result';
import { ignoredIn } from './ignored';
import { LargeFolders, type LargeLister, type LargePage } from './large-folders';
import type { Marks } from './marks';
import { marksOf } from './marks';
import { Names } from './names';
import { type Ranked, rank } from './rank';

export interface Found {
  /** The best of those that match. */
  matches: Ranked[];
  /** Files that match. */
  total: number;
  /** Files that are known of. */
  files: number;
  listing: boolean;
}

/** Finds files of folders by their names, says what git knows of them, and lists large directories. Runs in a worker. */
export interface ScoutApi extends LargeLister {
  find(folder: string, query: string, limit: number): Promise<Found>;
  marks(folder: string): Promise<Marks>;
  /** What of the directories ignore files leave out; all paths relative to the folder, with `/`. */
  ignored(folder: string, directories: readonly string[]): Promise<string[]>;
  /** Something was added or taken away: the next question has the folder listed anew. */
  changed(folder: string): Promise<void>;
}

interface Listed {
  names: Names;
  /** The names of a listing that goes on beside an older one, which is used until it is done. */
  coming: Names | null;
  isStale: boolean;
  listedAt: number;
  done: Promise<void>;
}

/** Folders whose names are kept; the one asked for longest ago goes. */
const MAX_FOLDERS = 2;
/** Milliseconds after which a folder is listed anew when asked for: not all of it is watched. */
const FRESH_FOR = 10_000;
/** Files of a folder that are listed. */
const MAX_FILES = 2_000_000;

/** The work itself. `program`: ripgrep; null where there is none, and then nothing is found. */
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
    // Without the program nothing is listed, and all would seem to be ignored.
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

  private list(folder: string, names: Names): Promise<void> {
    const { program } = this;
    if (program === null) return Promise.resolve();
    return new Promise((resolve) => {
      const child = spawn(program, ARGUMENTS, {
        cwd: folder,
        stdio: ['ignore', 'pipe', 'ignore'],
        windowsHide: true,
        env:
          process.platform === 'win32' ? { SystemRoot: process.env.SystemRoot, PATH: process.env.PATH } : {},
      });
      child.stdout.on('data', (part: Buffer) => {
        names.add(part);
        if (names.count > MAX_FILES) child.kill('SIGKILL');
      });
      child.on('error', () => resolve());
      child.on('close', () => resolve());
    });
  }
}

/** Only what ignore files of the folder itself name is left out, as for the agent's searches; hidden files are there. */
const ARGUMENTS = [
  '--files',
  '--null',
  '--hidden',
  '--glob=!.git',
  '--no-config',
  '--color=never',
  '--no-require-git',
  '--no-ignore-global',
  '--no-ignore-parent',
  '--no-messages',
];
