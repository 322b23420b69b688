const MAX_SCRIPT = 500;
export const SED = /^[gs]?sed$/;
export const EDITOR =
  /^(r?vim?|vimdiff|r?gvim|gvimdiff|nvim|view|rview|ex|evim|vimx|emacs|emacsclient|kak|hx|ed|red|gdb|gnuplot|octave|m4|[bd]c)$/;

/** `1e command`, `/x/e command`, `s/x/command/e`, and `s/x/command/;e`. */
export function givenToSed(word: string): string[] {
  const script = word.slice(0, MAX_SCRIPT);
  const lines = [...script.matchAll(/(?<![A-Za-z_\\])e[ \t]+([^\n]+)/g)].map(([, line = '']) => line);
  const runsLine = /(?<![A-Za-z_\\])e\s*(?=[;}\n]|$)/.test(script);
  const replacements = [
    ...script.matchAll(/(?<![A-Za-z_\\])s([^\w\s])(?:(?!\1)[^\n])*\1((?:(?!\1)[^\n])+)\1([gpIiMm\d]*e)?/g),
  ].flatMap(([, , replacement = '', flags]) => (runsLine || flags !== undefined ? [replacement] : []));
  return [...lines, ...replacements];
}

/** What makes an editor or a debugger run a command. */
const RUNS =
  /!|system|shell|cmd|term|exe|eval|process|\b(py\w*|lua|perl|ruby|tcl|mz\w*|make\w*|grep\w*|au\w*|source|so|job\w*|runtime|luafile|pyfile)\b/i;

/** `silent !command`, `call system('command')`, `(shell-command "command")`: what comes after each sign. */
export function givenToEditor(word: string): string[] {
  const script = word.slice(0, MAX_SCRIPT).replaceAll('\\ ', ' ');
  if (!/\s/.test(script.trim()) || !RUNS.test(script)) return [];
  return script
    .split(/[!"'`()[\]{}|=;,\n]|\b(?:term\w*|exe\w*|\w*make)\s/)
    .map((line) => line.trim())
    .filter((line) => /^[\w./]/.test(line));
}
