/** One word, as every shell passes it on. */
export interface StrictWord {
  value: string;
  /** Written without quotes. */
  bare: boolean;
}

export interface StrictCommand {
  words: StrictWord[];
  /** Files that it reads through `<`. */
  inputs: StrictWord[];
}

const BARE = /[A-Za-z0-9_./:=@%+,^-]+/y;
/** Printable ASCII except the quote itself and the characters that a shell expands in double quotes. */
const QUOTED = /'[ -&(-~]*'|"[ !#%-[\]-_a-~]*"/y;
const SEPARATOR = /\|\||&&|[|;\n]/y;
/** Output that is discarded or joined with the other output. Ends where a word would end. */
const DROPPED = /(?:2>&1|2?> *\/dev\/null)(?=[ |&;\n]|$)/y;
const INPUT = /< */y;
/** Words that start a compound command in any shell. */
const RESERVED =
  /^(if|then|else|elif|fi|case|esac|for|select|while|until|do|done|in|function|time|coproc|namespace|repeat|foreach|end)$/;

/**
 * Reads a line by a grammar so small that bash, dash and every other shell agree on it: bare words of a few characters,
 * quotes without expansions, `|`, `&&`, `||`, `;`, new lines, `2>&1`, `>/dev/null` and `< file`. Returns null for anything
 * else. It is a second reader in addition to the parser: a line is trusted only if both see the same words.
 *
 * No word has `..` after a name, since the kernel follows a link before it goes up.
 */
export function readStrictly(source: string): StrictCommand[] | null {
  const commands: StrictCommand[] = [];
  let current: StrictCommand = { words: [], inputs: [] };
  let last = '';
  let at = 0;
  const take = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(source)?.[0] ?? null;
    if (found !== null) at += found.length;
    return found;
  };
  const takeWord = (): StrictWord | null => {
    let value = '';
    let bare = true;
    const from = at;
    for (;;) {
      const plain = take(BARE);
      const quoted = plain === null ? take(QUOTED) : null;
      if (plain === null && quoted === null) break;
      value += plain ?? quoted?.slice(1, -1);
      bare &&= plain !== null;
    }
    return at === from || goesUpFromName(value) ? null : { value, bare };
  };
  const endCommand = (): boolean => {
    const [first] = current.words;
    if (first === undefined || !first.bare || RESERVED.test(first.value) || first.value.includes('='))
      return false;
    commands.push(current);
    current = { words: [], inputs: [] };
    return true;
  };
  while (at < source.length) {
    if (source[at] === ' ') {
      at++;
      continue;
    }
    const separator = take(SEPARATOR);
    if (separator !== null) {
      const isEmpty = current.words.length === 0 && current.inputs.length === 0;
      // Empty lines and a new line after `;` end no command.
      if (isEmpty && separator === '\n' && /^[;\n]?$/.test(last)) continue;
      if (!endCommand()) return null;
      last = separator;
      continue;
    }
    if (take(DROPPED) !== null) {
      if (current.words.length === 0) return null;
      continue;
    }
    if (take(INPUT) !== null) {
      const word = takeWord();
      if (word === null || current.words.length === 0 || !endsHere(source, at)) return null;
      current.inputs.push(word);
      continue;
    }
    const word = takeWord();
    if (word === null || !endsHere(source, at)) return null;
    current.words.push(word);
  }
  const isEmpty = current.words.length === 0 && current.inputs.length === 0;
  if (isEmpty) return commands.length > 0 && /^[;\n]$/.test(last) ? commands : null;
  return endCommand() ? commands : null;
}

const endsHere = (source: string, at: number) => at === source.length || /[ |&;\n]/.test(source.charAt(at));

/** `name/..`, even in an option: `--file=name/..`. */
function goesUpFromName(word: string): boolean {
  const names = word.split('/');
  const first = names.findIndex((name) => name !== '' && name !== '.' && name !== '..');
  return first !== -1 && names.indexOf('..', first) !== -1;
}
