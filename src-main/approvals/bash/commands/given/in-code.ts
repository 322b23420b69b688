/** Maximum UTF-16 units of code that is searched, and of commands that are found in one text. */
export const MAX_CODE = 20_000;
export const MAX_FOUND = 50;

/** Languages whose calls are found one by one. */
const SEARCHED = /^((python|pypy)[\d.]*|node(js)?|tsx|ts-node(-esm)?|bun|(perl|ruby|php)[\d.]*|[gmn]?awk)$/;
/** Code of any other language that mentions this may run any of its texts. */
const STARTS =
  /\bsh\b|shell|exec|system|spawn|popen|process|command|cmd|\brun|port\.open|open_port|""?\s?\.?!|launch|invoke/i;
/** The code without its texts. */
const withoutTexts = (code: string): string =>
  code.replaceAll(/(["'`])(?:\\.|(?!\1)[^\\]){0,1000}\1/gs, '""');
/** Maximum UTF-16 units of a command in it. */
const MAX_COMMAND = 300;

/** What may be a command in code: a text, and the texts after it in a list, without the signs between them. */
const literalStarts = (code: string): string[] =>
  [...code.matchAll(/["'`]/g)].slice(0, 2 * MAX_FOUND).flatMap(({ index }) => {
    const rest = code.slice(index + 1, index + MAX_COMMAND).split(/[;\n]/, 1)[0] ?? '';
    const end = rest.search(/["'`]/);
    const list = rest.replaceAll(/~[wW]|[^\w./:@=~-]+/g, ' ').trim();
    return [end === -1 ? rest : rest.slice(0, end), list].filter((line) => /^[\w./]/.test(line));
  });

/** Functions that run a command, in any language: `os.system`, `execSync`, `subprocess.run`. */
const RUNS =
  /\b(?:system|popen\w*|exec\w*|spawn\w*|run|call|check_call|check_output|getoutput|getstatusoutput|shell_exec|passthru|proc_open|pcntl_exec|capture[23]e?|pipe\w*|shell script|sh|cmd|Command)\b[\s([{]{0,10}|["'](?:-\||\|-)["'],/gi;
/** Between the texts of a list. */
const LITERAL = /[\s,([]{0,10}(["'`])((?:\\.|(?!\1)[^\\]){0,1000})\1/sy;
const MAX_LITERALS = 20;
/** Languages that run text in backquotes. */
const BACKQUOTES = /^(perl|ruby|php|julia)/;
/** Lists of words: Perl's `qw(a b)`, Ruby's `%w[a b]`. */
const WORD_LIST = /[\s,([]{0,10}(?:qw|%w)\s?[([{<|/]([^)\]}>|/\n]{1,1000})/y;
/** `` `x` ``, `qx(x)`, `%x{x}`, and awk's `| "x"` and `"x" | getline`, and Perl's `open(F, "x|")`. */
const BACKQUOTED = /`([^`\n]{1,1000})`/g;
const QUOTED =
  /(?:\bqx|%x)\s?[^\w\s]([^\n)}\]/|!]{1,1000})|\|&?\s?"([^"\n]{1,1000})"|"([^"\n]{1,1000})"\s?\||"\|([^"|\n]{1,1000})"|"([^"|\n]{1,1000})\|"/g;

/** The commands that code runs, as far as they are literal. */
export function commandsInCode(interpreter: string, text: string): string[] {
  const code = text.slice(0, MAX_CODE);
  const inBackquotes = BACKQUOTES.test(interpreter);
  const others = SEARCHED.test(interpreter) || !STARTS.test(withoutTexts(code)) ? [] : literalStarts(code);
  const quoted = [...code.matchAll(QUOTED), ...(inBackquotes ? code.matchAll(BACKQUOTED) : [])];
  const found = [...others, ...quoted.flatMap((one) => one.slice(1).filter((line) => line !== undefined))];
  for (const { index, 0: name } of code.matchAll(RUNS)) {
    if (found.length > MAX_FOUND) break;
    const texts = literalsAt(code, index + name.length);
    // `execvp("git", ["git", "push"])` names the program twice.
    for (const words of [texts.slice(0, 1), texts, texts.slice(1)])
      if (words.length > 0) found.push(words.join(' '));
  }
  return [...new Set(found)];
}

function literalsAt(code: string, at: number): string[] {
  const list = new RegExp(WORD_LIST);
  list.lastIndex = at;
  const words = list.exec(code)?.[1];
  if (words !== undefined) return words.trim().split(/\s+/);
  const found: string[] = [];
  const next = new RegExp(LITERAL);
  next.lastIndex = at;
  while (found.length < MAX_LITERALS) {
    const literal = next.exec(code);
    if (literal === null) break;
    found.push(literal[2] ?? '');
    // The end of a list.
    if (/^\s*\]?\s*\)/.test(code.slice(next.lastIndex, next.lastIndex + 10))) break;
  }
  return found;
}
