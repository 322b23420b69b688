import { appendFileSync, mkdirSync, readFileSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { FileState } from '../contract/changes';
import { codeOf } from './system';

/** One path as it was when last looked at. */
export interface Known {
  state: FileState;
  /** Any write changes it. */
  mark: string;
  /** Of folders. */
  inode: string;
  /** Read so soon after it was written that the mark may not tell another write. */
  racy: boolean;
  /** Its content is still to be read. */
  pending: boolean;
  /** Excluded; known only as long as a call names it. */
  extra: boolean;
}

const Line = z.union([z.tuple([z.string(), FileState, z.string(), z.string()]), z.tuple([z.string()])]);

/** No path is empty. */
const COMPLETE = '';
/** Lines beyond which the file is rewritten. */
const SLACK = 5_000;

/**
 * A folder's paths on the disk, so that after a start only what changed is read again: a line a change, appended. What
 * was not flushed is found once more, which does no harm.
 */
export class FolderIndex {
  private lines: string[] = [];

  /** `file` null: nothing is kept. `readOnly`: another process keeps it. */
  constructor(
    private readonly file: string | null,
    private readonly readOnly = false,
  ) {}

  /** `isComplete`: everything had been looked at and kept; what is not in it was not there. */
  load(): { known: Map<string, Known>; isComplete: boolean } {
    const text = this.file === null ? null : this.read(this.file);
    if (this.file === null || text === null) return { known: new Map(), isComplete: false };
    let isComplete = false;
    const known = new Map<string, Known>();
    const lines = text.split('\n');
    let isWhole = lines.pop() === '';
    for (const line of lines) {
      const parsed = parseLine(line);
      if (parsed === null) {
        // Cut by a kill or a power cut: what comes after it cannot be trusted either.
        isWhole = false;
        break;
      }
      const [path, state, mark, inode] = parsed;
      if (path === COMPLETE) isComplete = true;
      else if (state === undefined || mark === undefined || inode === undefined) known.delete(path);
      else known.set(path, { state, mark, inode, racy: false, pending: false, extra: false });
    }
    if (!this.readOnly && (!isWhole || lines.length > 2 * known.size + SLACK))
      this.rewrite(this.file, known, isComplete);
    if (!this.readOnly) utimesSync(this.file, new Date(), new Date());
    return { known, isComplete };
  }

  set(path: string, known: Known | null): void {
    if (this.file === null || this.readOnly || known?.pending) return;
    // One that may be written unseen is read again after a start.
    const mark = known?.racy ? '' : known?.mark;
    this.lines.push(JSON.stringify(known === null ? [path] : [path, known.state, mark, known.inode]));
  }

  /** Everything there is has been set. */
  complete(): void {
    if (this.file !== null && !this.readOnly) this.lines.push(JSON.stringify([COMPLETE]));
  }

  flush(): void {
    if (this.file === null || this.lines.length === 0) return;
    mkdirSync(dirname(this.file), { recursive: true, mode: 0o700 });
    appendFileSync(this.file, `${this.lines.join('\n')}\n`, { mode: 0o600 });
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
