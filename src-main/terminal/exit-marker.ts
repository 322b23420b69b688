/**
 * When the program that leads a terminal's session ends, Linux throws away what it printed and nobody read yet. So an
 * agent's command runs as the child of a small shell that prints this marker with the exit code after it, in band, and
 * stays until it is ended: once the marker was read, everything before it was read too. Terminals draw nothing for it.
 */
export class ExitMarker {
  private readonly opening: string;
  private held = '';

  /** `nonce` only keeps output that talks about markers from being one. */
  constructor(nonce: string) {
    this.opening = `${OPENING}${nonce};`;
  }

  /** Takes the marker out of a stream that may be cut anywhere; `exitCode` once, with the chunk that completes it. */
  filter(chunk: string): { text: string; exitCode?: number } {
    const text = this.held + chunk;
    this.held = '';
    const start = text.indexOf(this.opening);
    if (start < 0) return { text: this.holdBack(text, this.beginningAtEnd(text)) };
    const end = text.indexOf(CLOSING, start);
    if (end < 0) return { text: this.holdBack(text, start) };
    const exitCode = Number(text.slice(start + this.opening.length, end));
    return { text: text.slice(0, start) + text.slice(end + 1), exitCode };
  }

  /** What was held back because it looked like the beginning of a marker. */
  rest(): string {
    const rest = this.held;
    this.held = '';
    return rest;
  }

  private holdBack(text: string, from: number): string {
    this.held = text.slice(from);
    return text.slice(0, from);
  }

  private beginningAtEnd(text: string): number {
    const last = text.lastIndexOf('\x1b');
    return last >= 0 && this.opening.startsWith(text.slice(last)) ? last : text.length;
  }
}

/** An operating system command with a number that no terminal gives a meaning to. */
const OPENING = '\x1b]6973;';
const CLOSING = '\x07';

/**
 * Shell text that runs "$@" after "$1" was taken off as nonce, prints the marker and waits to be ended. The shell outlives
 * Ctrl C, and says nothing of its own (descriptor 3 brings the command's errors past that). SIGHUP ends it, so it does not
 * outlive the app. With nobody to type, a command that reads finds its input at its end.
 */
export const runAndMark = (stdin: 'person' | 'closed') =>
  [
    'n=$1; shift; exec 3>&2 2>/dev/null; trap : INT QUIT TERM',
    `"$@" 2>&3 3>&-${stdin === 'closed' ? ' </dev/null' : ''}`,
    'printf \'\\033]6973;%s;%d\\007\' "$n" $?',
    'kill -STOP $$',
  ].join('\n');
