import type { Terminal } from '@xterm/xterm';

/**
 * Sequences by which printed text reaches out of the terminal: window and icon title (0, 1, 2), palette and default
 * colours (4, 10, 11, 12: hiding text, and queries that type an answer), and the clipboard (52). A program's output is
 * not trusted, so they do nothing here.
 */
const IGNORED_OSC = [0, 1, 2, 4, 10, 11, 12, 52];

/** Makes `terminal` ignore what a program must not do to the app around it. Returns its undo. */
export function ignoreUntrustedSequences(terminal: Terminal): () => void {
  const handlers = [
    ...IGNORED_OSC.map((id) => terminal.parser.registerOscHandler(id, () => true)),
    // DECRQSS: a program asks for settings and gets the answer typed into its input.
    terminal.parser.registerDcsHandler({ intermediates: '$', final: 'q' }, () => true),
    // Window manipulation and reports (title, size in pixels).
    terminal.parser.registerCsiHandler({ final: 't' }, () => true),
  ];
  return () => {
    for (const handler of handlers) handler.dispose();
  };
}

/**
 * Text from the clipboard as it may be typed into a shell: control characters other than tab and line ends are left
 * out, because an escape sequence in the text can end bracketed paste and run the rest as a command.
 */
export function cleanPaste(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the control characters are what is taken out.
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g, '');
}

/**
 * Whether a paste is shown before it is typed: it has several lines, or its one line would run at once because the
 * program does not take pasted text as a whole.
 */
export const isRiskyPaste = (text: string, isBracketed: boolean): boolean =>
  /[\r\n]/.test(isBracketed ? text.trim() : text);

/** The address if it is one that may be offered to the browser: http or https, without a user name in it. */
export function webAddress(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  const isWeb = url.protocol === 'http:' || url.protocol === 'https:';
  return isWeb && url.username === '' && url.password === '' ? url.href : undefined;
}
