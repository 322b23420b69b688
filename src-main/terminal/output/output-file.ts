import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { grouped } from './grouped';

/** Bytes kept of one output. Commands that print more should write a file themselves. */
const LARGEST_FILE = 200_000_000;
/** Bytes kept in one folder; the oldest outputs are deleted first. */
const LARGEST_FOLDER = 1_000_000_000;
/** UTF-16 units pending for the disk at which the program is paused, and at which it resumes. */
const HOLD_ABOVE = 4_000_000;
const RELEASE_BELOW = 1_000_000;
/** UTF-16 units per write: few calls, and short enough encoding to go unnoticed. */
const WRITE_UNITS = 1_000_000;

export interface OutputFileOptions {
  /** Absolute path. Its folder is created with the first text. */
  file: string;
  /** Called when the disk falls behind, and when it has caught up. */
  hold(): void;
  release(): void;
  /** UTF-16 units collected for one write; fewer if somebody reads the file while it is written. */
  writeUnits?: number;
  /** Defaults: 200 MB and 1 GB. */
  largestFile?: number;
  largestFolder?: number;
}

export interface KeptOutput {
  /** Bytes in the file. */
  bytes: number;
  /** True if nothing is missing. */
  isWhole: boolean;
  /** Why writing stopped early (a full disk). The file is then deleted. */
  problem?: string;
}

/** Writes a complete long output to a file, with limited memory and a limited file size. */
export class OutputFile {
  private waiting: string[] = [];
  private waitingUnits = 0;
  /** Units pending and being written. */
  private behind = 0;
  private held = false;
  private bytes = 0;
  private isWhole = true;
  private problem: string | undefined;
  private handle: FileHandle | undefined;
  private work: Promise<void> | undefined;

  constructor(private readonly options: OutputFileOptions) {}

  /** True when it is full or cannot be written. */
  get isDone(): boolean {
    return !this.isWhole || this.problem !== undefined;
  }

  /** Takes the text immediately and writes it later. Does nothing after a failure or when the file is full. */
  write(text: string): void {
    if (this.isDone || text === '') return;
    this.waiting.push(text);
    this.waitingUnits += text.length;
    this.behind += text.length;
    if (!this.held && this.behind > HOLD_ABOVE) {
      this.held = true;
      this.options.hold();
    }
    if (this.waitingUnits >= (this.options.writeUnits ?? WRITE_UNITS)) this.work ??= this.writeWaiting();
  }

  /** Call it once after the last text. Returns what is in the file. */
  async finish(): Promise<KeptOutput> {
    await this.work;
    await this.writeWaiting();
    await this.handle?.close().catch((error: unknown) => this.fail(error));
    const { bytes, isWhole, problem } = this;
    return problem === undefined ? { bytes, isWhole } : { bytes, isWhole: false, problem };
  }

  /** Call it instead of `finish` if nobody will be told about the file. */
  async discard(): Promise<void> {
    this.waiting = [];
    this.waitingUnits = 0;
    await this.finish();
    if (this.bytes > 0) await rm(this.options.file, { force: true }).catch(() => undefined);
  }

  private fail(error: unknown): void {
    // "ENOSPC: no space left on device, write": the part after the comma does not help the reader.
    this.problem = (error instanceof Error ? error.message : String(error)).split(',')[0] ?? '';
  }

  private async writeWaiting(): Promise<void> {
    try {
      while (this.waitingUnits > 0) {
        const text = this.waiting.join('');
        this.waiting = [];
        this.waitingUnits = 0;
        await this.writeText(text);
        this.behind -= text.length;
        this.catchUp();
      }
    } catch (error) {
      this.fail(error);
      this.waiting = [];
      this.waitingUnits = 0;
      this.behind = 0;
      this.catchUp();
      await this.handle?.close().catch(() => undefined);
      this.handle = undefined;
      // A partial output could be mistaken for the whole, and a full disk needs the space.
      await rm(this.options.file, { force: true }).catch(() => undefined);
    } finally {
      this.work = undefined;
    }
  }

  private async writeText(text: string): Promise<void> {
    if (!this.isWhole) return;
    const { file, largestFile = LARGEST_FILE, largestFolder = LARGEST_FOLDER } = this.options;
    if (this.handle === undefined) {
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      await makeRoom(dirname(file), largestFolder - largestFile);
      this.handle = await open(file, 'w', 0o600);
    }
    const data = Buffer.from(text);
    const room = largestFile - this.bytes;
    if (data.length <= room) {
      await this.handle.writeFile(data);
      this.bytes += data.length;
      return;
    }
    this.isWhole = false;
    const lineEnd = data.lastIndexOf(10, room - 1);
    const part = data.subarray(0, lineEnd + 1);
    const note = `[… the output continued; only these first ${megabytes(largestFile)} were kept …]\n`;
    await this.handle.writeFile(Buffer.concat([part, Buffer.from(note)]));
    this.bytes += part.length;
  }

  private catchUp(): void {
    if (!this.held || this.behind > RELEASE_BELOW) return;
    this.held = false;
    this.options.release();
  }
}

export const megabytes = (bytes: number) => `${grouped(Math.round(bytes / 1_000_000))} MB`;

/** Deletes the oldest outputs until the folder holds at most `bytes`. */
async function makeRoom(folder: string, bytes: number): Promise<void> {
  const files = await Promise.all(
    (await readdir(folder)).map(async (name) => {
      const path = join(folder, name);
      const { size, mtimeMs } = await stat(path).catch(() => ({ size: 0, mtimeMs: 0 }));
      return { path, size, mtimeMs };
    }),
  );
  files.sort((a, b) => a.mtimeMs - b.mtimeMs);
  let total = files.reduce((sum, { size }) => sum + size, 0);
  for (const { path, size } of files) {
    if (total <= bytes) return;
    await rm(path, { force: true });
    total -= size;
  }
}
