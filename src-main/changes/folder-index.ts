import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { FileState } from '../contract/changes';
import { type Contents, hashesIn } from './contents';
import { codeOf } from './system';

/** The last known state of one path. */
export interface Known {
  state: FileState;
  /** Changes with every write. */
  mark: string;
  /** Only for folders. */
  inode: string;
  /** Read so soon after it was written that the mark may not reveal another write. */
  racy: boolean;
  /** Its content has not been read yet. */
  pending: boolean;
  /** Excluded; known only while a call names it. */
  extra: boolean;
}

const Line = z.union([z.tuple([z.string(), FileState, z.string(), z.string()]), z.tuple([z.string()])]);

/** Unambiguous, because no path is empty. */
const COMPLETE = '';
/** Extra lines after which the file is rewritten. */
const SLACK = 5_000;

/**
 * Saves a folder's paths so that after a start only changed files are read again. Each change appends one line. Changes that
 * were not flushed are found again, which is harmless.
 */
export class FolderIndex {
  private lines: string[] = [];

  /** `file` null: nothing is saved. `readOnly`: another process saves it. */
  constructor(
    private readonly file: string | null,
    private readonly readOnly = false,
  ) {}

  /**
   * `isComplete`: a full scan was saved, so paths that are not in it did not exist. Contents that a power failure took, because
   * nothing but the index referred to them, are pending.
   */
  load(contents?: Contents): { known: Map<string, Known>; isComplete: boolean } {
    const text = this.file === null ? null : this.read(this.file);
    if (this.file === null || text === null) return { known: new Map(), isComplete: false };
    let isComplete = false;
    const known = new Map<string, Known>();
    const lines = text.split('\n');
    let isWhole = lines.pop() === '';
    for (const line of lines) {
      const parsed = parseLine(line);
      if (parsed === null) {
        // Truncated by a kill or a power failure. What follows cannot be trusted either.
        isWhole = false;
        break;
      }
      const [path, state, mark, inode] = parsed;
      if (path === COMPLETE) isComplete = true;
      else if (state === undefined || mark === undefined || inode === undefined) known.delete(path);
      else {
        const pending = hashesIn([state]).some((hash) => contents?.size(hash) === 0);
        known.set(path, { state, mark, inode, racy: false, pending, extra: false });
      }
    }
    if (!this.readOnly && (!isWhole || lines.length > 2 * known.size + SLACK))
      this.rewrite(this.file, known, isComplete);
    if (!this.readOnly) utimesSync(this.file, new Date(), new Date());
    return { known, isComplete };
  }

  set(path: string, known: Known | null): void {
    if (this.file === null || this.readOnly || known?.pending) return;
    // A file that may have been written unnoticed is read again after a start.
    const mark = known?.racy ? '' : known?.mark;
    this.lines.push(JSON.stringify(known === null ? [path] : [path, known.state, mark, known.inode]));
  }

  /** All existing paths have been set. */
  complete(): void {
    if (this.file !== null && !this.readOnly) this.lines.push(JSON.stringify([COMPLETE]));
  }

  flush(): void {
    if (this.file === null || this.lines.length === 0) return;
    mkdirSync(dirname(this.file), { recursive: true, mode: 0o700 });
    const size = statSync(this.file, { throwIfNoEntry: false })?.size ?? 0;
    try {
      appendFileSync(this.file, `${this.lines.join('\n')}\n`, { mode: 0o600 });
    } catch (thrown) {
      // A full disk took a part. The lines after it would not be read.
      if (existsSync(this.file)) truncateSync(this.file, size);
      throw thrown;
    }
    this.lines = [];
  }

  private rewrite(file: string, known: ReadonlyMap<string, Known>, isComplete: boolean): void {
    const lines = [...known].map(([path, one]) => JSON.stringify([path, one.state, one.mark, one.inode]));
    if (isComplete) lines.push(JSON.stringify([COMPLETE]));
    const temporary = `${file}.tmp`;
    writeFileSync(temporary, lines.map((line) => `${line}\n`).join(''), { mode: 0o600 });
    renameSync(temporary, file);
  }

  private read(file: string): string | null {
    try {
      return readFileSync(file, 'utf8');
    } catch (thrown) {
      if (codeOf(thrown) === '') throw thrown;
      return null;
    }
  }
}

function parseLine(line: string): [string, FileState?, string?, string?] | null {
  try {
    const parsed = Line.safeParse(JSON.parse(line));
    return parsed.success ? parsed.data : null;
  } catch (thrown) {
    if (!(thrown instanceof SyntaxError)) throw thrown;
    return null;
  }
}
