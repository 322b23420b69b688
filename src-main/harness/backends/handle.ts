import {
  type BigIntStats,
  close,
  closeSync,
  fchmod,
  fchown,
  fstat,
  fstatSync,
  fsync,
  open,
  openSync,
  read,
  write,
} from 'node:fs';
import { promisify } from 'node:util';

const openAsync = promisify(open);
const readAsync = promisify(read);
const writeAsync = promisify(write);
const statAsync = promisify(fstat);
const syncAsync = promisify(fsync);
const chmodAsync = promisify(fchmod);
const chownAsync = promisify(fchown);
const closeAsync = promisify(close);

/** An open file or directory. Node's own handles cost as much to make as all that is done with a small file. */
export class Handle {
  private isOpen = true;

  private constructor(readonly fd: number) {}

  /** Throws system errors. Close it: nobody else does. */
  static async open(path: string | Buffer, flags: number, mode?: number): Promise<Handle> {
    return new Handle(await openAsync(path, flags, mode));
  }

  /** Right after the path was looked up, for flags with which no file system is asked but the kernel alone (`O_PATH`). */
  static openNow(path: string | Buffer, flags: number): Handle {
    return new Handle(openSync(path, flags));
  }

  read(buffer: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesRead: number }> {
    return readAsync(this.fd, buffer, offset, length, position);
  }

  write(buffer: Uint8Array, offset: number, length: number): Promise<{ bytesWritten: number }> {
    return writeAsync(this.fd, buffer, offset, length, null);
  }

  stat(): Promise<BigIntStats> {
    return statAsync(this.fd, { bigint: true });
  }

  /** Right after it was opened, when the kernel has the answer in memory: a turn of the thread pool costs ten times that. */
  statNow(): BigIntStats {
    return fstatSync(this.fd, { bigint: true });
  }

  sync(): Promise<void> {
    return syncAsync(this.fd);
  }

  chmod(mode: number): Promise<void> {
    return chmodAsync(this.fd, mode);
  }

  chown(uid: number, gid: number): Promise<void> {
    return chownAsync(this.fd, uid, gid);
  }

  /** Once: the number may be another file's by the second time. */
  async close(): Promise<void> {
    if (!this.isOpen) return;
    this.isOpen = false;
    await closeAsync(this.fd);
  }

  /** For what was only read, or flushed: nothing is to be written back, so it takes no time, and no turn of the thread pool. */
  async closeNow(): Promise<void> {
    if (!this.isOpen) return;
    this.isOpen = false;
    closeSync(this.fd);
  }
}
