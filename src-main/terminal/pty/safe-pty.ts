import { writeSync } from 'node:fs';
import type { IDisposable, IPty } from 'node-pty';
import { PtyInput } from './pty-input';

/** What node-pty's class has beyond its published type. */
interface Emitter {
  on(event: 'error' | 'close', listener: (error?: Error) => void): void;
}

const isEmitter = (pty: object): pty is Emitter => 'on' in pty && typeof pty.on === 'function';

/** The descriptor of the controlling side. ConPTY has none that can be written to. */
const descriptorOf = (pty: object): number | null =>
  'fd' in pty && typeof pty.fd === 'number' && process.platform !== 'win32' ? pty.fd : null;

/**
 * A pty that never throws and never blocks, even after its program has exited. node-pty throws its stream errors where
 * nobody can catch them, writes to descriptors that may already belong to something else, and blocks the event loop while a
 * program does not read its input.
 */
export class SafePty {
  readonly pid: number;
  private closed = false;
  private exited = false;
  private readonly input: PtyInput;

  constructor(private readonly pty: IPty) {
    this.pid = pty.pid;
    const descriptor = descriptorOf(pty);
    this.input = new PtyInput((data) => {
      if (descriptor === null) {
        pty.write(data.toString());
        return data.length;
      }
      return writeSome(descriptor, data);
    });
    const leave = () => {
      this.closed = true;
      this.input.close();
    };
    pty.onExit(() => {
      this.exited = true;
      leave();
    });
    if (!isEmitter(pty)) return;
    // With a second listener, node-pty leaves errors other than EIO to it. All mean that the program is gone.
    pty.on('error', (error) => {
      if (!(error && 'code' in error && error.code === 'EAGAIN')) leave();
    });
    pty.on('close', leave);
  }

  onData(listener: (data: string) => void): IDisposable {
    return this.pty.onData(listener);
  }

  onExit(listener: (end: { exitCode: number; signal?: number }) => void): IDisposable {
    return this.pty.onExit(listener);
  }

  /** Returns false if too much input is pending and this was rejected; see PtyInput. */
  write(text: string): boolean {
    return this.input.push(text);
  }

  resize(cols: number, rows: number): void {
    this.quietly(() => this.pty.resize(cols, rows));
  }

  pause(): void {
    this.quietly(() => this.pty.pause());
  }

  resume(): void {
    this.quietly(() => this.pty.resume());
  }

  /** Kills only the leading process, if it still exists. */
  kill(): void {
    if (this.exited) return;
    try {
      this.pty.kill(process.platform === 'win32' ? undefined : 'SIGKILL');
    } catch {
      // The process has just exited.
    }
  }

  private quietly(act: () => void): void {
    if (this.closed) return;
    try {
      act();
    } catch {
      // The process has just exited; `onExit` reports that.
    }
  }
}

/** The descriptor is non-blocking, so this writes what the kernel has space for. */
function writeSome(descriptor: number, data: Buffer): number {
  try {
    return writeSync(descriptor, data);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') return 0;
    throw error;
  }
}
