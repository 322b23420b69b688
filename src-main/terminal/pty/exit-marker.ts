/**
 * When the leader of a terminal session exits, Linux discards output that nobody has read yet. So an agent's command runs as
 * the child of a small shell. That shell prints this marker with the exit code after the output, in band, and stays until it
 * is killed: once the marker was read, so was everything before it. Terminals draw nothing for the marker.
 */
export class ExitMarker {
  private readonly opening: string;
  private held = '';

  /** `nonce` only prevents output that mentions markers from being treated as one. */
  constructor(nonce: string) {
    this.opening = `${OPENING}${nonce};`;
  }

  /** Removes the marker from a stream that may be cut anywhere. Sets `exitCode` once, with the chunk that completes it. */
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

  /** Returns text that was held back because it looked like the start of a marker. */
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

/** An operating system command (OSC) whose number has no meaning in any terminal. */
const OPENING = '\x1b]6973;';
const CLOSING = '\x07';

/**
 * Shell text that takes "$1" off as the nonce, runs the rest of "$@", prints the marker, and waits to be killed. The shell
 * survives Ctrl C and prints nothing itself (descriptor 3 carries the command's errors past it). SIGHUP kills it, so it does
 * not outlive the app. If nobody can type, a command that reads gets end of file.
 */
export const runAndMark = (stdin: 'person' | 'closed') =>
  [
    'n=$1; shift; exec 3>&2 2>/dev/null; trap : INT QUIT TERM',
    `"$@" 2>&3 3>&-${stdin === 'closed' ? ' </dev/null' : ''}`,
    'printf \'\\033]6973;%s;%d\\007\' "$n" $?',
    'kill -STOP $$',
  ].join('\n');
