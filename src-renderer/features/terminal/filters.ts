import type { Terminal } from '@xterm/xterm';

/**
 * Sequences that let printed text affect more than the terminal: window and icon title (0, 1, 2), palette and default colors
 * (4, 10, 11, 12: hiding text, and queries that type a reply), and the clipboard (52). A program's output is not trusted, so
 * they do nothing here.
 */
const IGNORED_OSC = [0, 1, 2, 4, 10, 11, 12, 52];

/**
 * Makes `terminal` ignore sequences by which a program could affect the app around it. Returns a function that undoes this.
 */
export function ignoreUntrustedSequences(terminal: Terminal): () => void {
  const handlers = [
    ...IGNORED_OSC.map((id) => terminal.parser.registerOscHandler(id, () => true)),
    // DECRQSS: a program queries settings and gets the reply typed into its input.
    terminal.parser.registerDcsHandler({ intermediates: '$', final: 'q' }, () => true),
    // Window manipulation and reports (title, size in pixels).
    terminal.parser.registerCsiHandler({ final: 't' }, () => true),
  ];
  return () => {
    for (const handler of handlers) handler.dispose();
  };
}

/**
 * The replies of xterm.js to queries in a program's output: device attributes, status, cursor position, modes, window
 * reports, focus, colors and settings. One event carries one reply.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: replies start with an escape character.
const REPLY = /^\u001b(\[[?>]?[\d;]*([cnRtIO]|\$y)$|[\]P])/;

/**
 * Decides what of a terminal's data reaches its program. During a replay, the terminal replies to old queries of programs;
 * those replies are discarded. What the person types meanwhile is sent when the replay ends.
 */
export class InputGate {
  private early: string[] | undefined = [];

  constructor(private readonly send: (data: string) => void) {}

  get isReplaying(): boolean {
    return this.early !== undefined;
  }

  take(data: string): void {
    if (this.early === undefined) this.send(data);
    else if (!REPLY.test(data)) this.early.push(data);
  }

  /** A replay starts: the first one, or another one after a gap. */
  replay(): void {
    this.early ??= [];
  }

  live(): void {
    const early = this.early?.join('') ?? '';
    this.early = undefined;
    if (early !== '') this.send(early);
  }
}

/**
 * Clipboard text that is safe to type into a shell. Removes control characters other than tab and line ends, because an
 * escape sequence in the text can end bracketed paste and run the rest as a command.
 */
export function cleanPaste(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it removes control characters.
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g, '');
}

/**
 * Whether a paste needs confirmation: it has several lines, or its one line would run immediately because the program does
 * not support bracketed paste.
 */
export const isRiskyPaste = (text: string, isBracketed: boolean): boolean =>
  /[\r\n]/.test(isBracketed ? text.trim() : text);

/** The URL if it may be offered to the browser: http or https, without a user name in it. */
export function webAddress(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isWeb = url.protocol === 'http:' || url.protocol === 'https:';
  return isWeb && url.username === '' && url.password === '' ? url.href : undefined;
}
