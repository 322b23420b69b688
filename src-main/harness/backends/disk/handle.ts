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

/** An open file or directory. Creating one of Node's handles costs as much as everything done with a small file. */
export class Handle {
  private isOpen = true;

  private constructor(readonly fd: number) {}

  /** Throws system errors. The caller must close it. */
  static async open(path: string | Buffer, flags: number, mode?: number): Promise<Handle> {
    return new Handle(await openAsync(path, flags, mode));
  }

  /** For use right after a lookup of the path, with flags that involve only the kernel and no file system (`O_PATH`). */
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

  /** For use right after opening, when the kernel has the answer in memory. The thread pool costs ten times that. */
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

  /** Closes only once: by the second time the number may belong to another file. */
  async close(): Promise<void> {
    if (!this.isOpen) return;
    this.isOpen = false;
    await closeAsync(this.fd);
  }

  /**
   * For files that were only read, or are flushed: there is nothing to write back, so closing is fast without the thread
   * pool.
   */
  async closeNow(): Promise<void> {
    if (!this.isOpen) return;
    this.isOpen = false;
    closeSync(this.fd);
  }
}
