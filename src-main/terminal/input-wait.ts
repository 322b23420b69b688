import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Milliseconds without output after which a command may be waiting for the person. */
const QUIET_FOR = 1_000;
/** Milliseconds between two checks: the first, and the longest. A command that computes quietly is checked rarely. */
const FIRST_CHECK = 500;
const LAST_CHECK = 4_000;

/** The number of the system call `read` on Linux. */
const READ_CALL: Partial<Record<NodeJS.Architecture, string>> = {
  x64: '0',
  arm64: '63',
  ia32: '3',
  arm: '3',
};

interface InputWaitOptions {
  pid: number;
  /** The end of the output. */
  tail(): string;
  changed(isWaiting: boolean): void;
}

/** Detects that a command has stopped printing and waits for the person to type. */
export class InputWait {
  private isWaiting = false;
  private timer: NodeJS.Timeout | undefined;
  private isOver = false;

  constructor(private readonly options: InputWaitOptions) {
    this.heard();
  }

  /** The command printed something, or the person typed. */
  heard(): void {
    if (this.isOver) return;
    clearTimeout(this.timer);
    this.tell(false);
    this.checkAfter(QUIET_FOR, FIRST_CHECK);
  }

  /** The command is over. It waits for nobody. */
  end(): void {
    this.isOver = true;
    clearTimeout(this.timer);
  }

  private checkAfter(wait: number, next: number): void {
    this.timer = setTimeout(() => {
      this.tell(endsInPrompt(this.options.tail()) || readsTerminal(this.options.pid));
      this.checkAfter(next, Math.min(next * 2, LAST_CHECK));
    }, wait).unref();
  }

  private tell(isWaiting: boolean): void {
    if (this.isWaiting === isWaiting) return;
    this.isWaiting = isWaiting;
    this.options.changed(isWaiting);
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences start with a control character
const SEQUENCES = /\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[()][0-9A-B]|[=>78])/gu;
/** `Name:`, `Continue? [y/N]`, `package name: (app)`, `>>>`. */
const PROMPT = /(?:[?:？：>❯]|[?:？：]\s*[[(][^\])]{0,60}[\])]|[[(][^\])/]{1,20}\/[^\])]{1,20}[\])])[ \t]*$/u;

/** Whether output ends in the middle of a line that asks for an answer. */
export function endsInPrompt(tail: string): boolean {
  const plain = tail.replaceAll(SEQUENCES, '');
  const line =
    plain
      .slice(plain.lastIndexOf('\n') + 1)
      .split('\r')
      .at(-1) ?? '';
  return PROMPT.test(line);
}

/**
 * Whether a process below `pid` reads from a terminal at this moment. Only Linux tells; elsewhere, and for a process that may
 * not be inspected, the answer is no.
 */
function readsTerminal(pid: number): boolean {
  if (process.platform !== 'linux') return false;
  const call = READ_CALL[process.arch];
  return call !== undefined && familyOf(pid).some((one) => isReading(one, call));
}

function isReading(pid: number, call: string): boolean {
  try {
    const [number, descriptor = ''] = readFileSync(`/proc/${pid}/syscall`, 'latin1').split(' ');
    if (number !== call) return false;
    return /^\/dev\/(?:pts\/|tty|console)/u.test(readlinkSync(`/proc/${pid}/fd/${Number(descriptor)}`));
  } catch {
    // It has exited, or belongs to another user.
    return false;
  }
}

/** A process and its descendants. */
function familyOf(pid: number): number[] {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    const children = threads.flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'latin1').split(' ').filter(Boolean).map(Number),
    );
    return [pid, ...children.flatMap(familyOf)];
  } catch {
    // It has exited in the meantime.
    return [pid];
  }
}
