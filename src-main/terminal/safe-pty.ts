import { writeSync } from 'node:fs';
import type { IDisposable, IPty } from 'node-pty';
import { PtyInput } from './pty-input';

/** What node-pty's own class has beyond its published type. */
interface Emitter {
  on(event: 'error' | 'close', listener: (error?: Error) => void): void;
}

const isEmitter = (pty: object): pty is Emitter => 'on' in pty && typeof pty.on === 'function';

/** The controlling side's descriptor; ConPTY has none that can be written to. */
const descriptorOf = (pty: object): number | null =>
  'fd' in pty && typeof pty.fd === 'number' && process.platform !== 'win32' ? pty.fd : null;

/**
 * A pty on which nothing throws and nothing waits, also after its program has ended. node-pty itself throws its
 * stream's errors where nobody can catch them, writes to descriptors that may be somebody else's by then, and holds the
 * event loop up while a program does not read what is typed.
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
    // With a second listener node-pty leaves errors other than EIO to it. All mean the same: the program is gone.
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

  /** False where the program has not read so much that this was not taken; see PtyInput. */
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

  /** Ends the leading process alone, where it is still there. */
  kill(): void {
    if (this.exited) return;
    try {
      this.pty.kill(process.platform === 'win32' ? undefined : 'SIGKILL');
    } catch {
      // It ended in this moment.
    }
  }

  private quietly(act: () => void): void {
    if (this.closed) return;
    try {
      act();
    } catch {
      // It ended in this moment; its end is told by `onExit`.
    }
  }
}

/** The descriptor does not block, so this takes what the kernel has room for. */
function writeSome(descriptor: number, data: Buffer): number {
  try {
    return writeSync(descriptor, data);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') return 0;
    throw error;
  }
}
