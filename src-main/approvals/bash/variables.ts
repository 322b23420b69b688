import type { ArrayValue, SyntaxNode, Word } from 'unbash';
import { shellWord } from './words';

/** Fixed texts that a line gives to its variables, by name. */
export type Values = Map<string, string[]>;

/** Maximum values of one variable, which is also the maximum of texts of one command. */
const MAX_VALUES = 10;
/** Maximum UTF-16 units of a value, since values can double each other, and of all texts of one line. */
const MAX_LENGTH = 1_000;
const MAX_TOTAL = 50_000;
/** Maximum nesting of substitutions that are replaced. */
const MAX_NESTED = 3;

/** Adds the values that an assignment or a loop gives to a variable. */
export function noteValues(node: SyntaxNode, values: Values): void {
  if (node.type === 'For') {
    const words = node.wordlist ?? [];
    note(
      values,
      node.name.value,
      words.flatMap((word) => textsOf(word, values)),
    );
  }
  if (node.type !== 'Assignment') return;
  const texts = textsOf(node.value, values);
  const before = node.append === true ? (values.get(node.name) ?? []) : [''];
  note(
    values,
    node.name,
    before.flatMap((start) => texts.map((text) => start + text)),
  );
}

function note(values: Values, name: string, found: readonly string[]): void {
  const short = found.filter(({ length }) => length <= MAX_LENGTH);
  values.set(name, [...new Set([...(values.get(name) ?? []), ...short])].slice(0, MAX_VALUES));
}

/** The texts that a value may be, with variables of the line replaced; of a list, all of its words. None if it is unknown. */
function textsOf(value: Word | ArrayValue | undefined, values: Values): string[] {
  if (value === undefined) return [];
  if (value.type === 'ArrayValue') {
    const words = value.elements.map((word) => textsOf(word, values)[0]);
    return words.every((word) => word !== undefined) ? [words.join(' ')] : [];
  }
  const word = shellWord(value);
  // A pattern stands for itself.
  return word.literal || !/[$`<>]/.test(word.value) ? [word.value] : withValues(word.value, values);
}

/** `$x`, `${x}`, `${x[@]}`, and the text in `${x:-text}`. */
const VARIABLE = /\$(?:(\w+)|\{(\w+)(?:\[[@*\d]+\])?(?::?[-=+]([^{}]*))?\})/g;

/** What each command may be with its variables replaced, as far as all of that is short. */
export function fillIn(commands: readonly { text: string; alsoRuns: string[] }[], values: Values): void {
  let left = MAX_TOTAL;
  for (const command of commands) {
    if (!/[$`{]/.test(command.text) || command.text.length > left) continue;
    const texts = withValues(command.text, values);
    left -= texts.reduce((sum, { length }) => sum + length, 0);
    if (left < 0) return;
    command.alsoRuns.push(...texts);
  }
}

/** A text with its variables replaced: by the first value of each, by the second, and so on. */
function withValues(written: string, values: Values): string[] {
  // Even in quotes, it stands for several words.
  const text = withPrinted(written).replaceAll(/"(\$\{\w+\[@\]\})"/g, '$1');
  const names = [...text.matchAll(VARIABLE)].map(([, plain, braced]) => plain ?? braced ?? '');
  const count = Math.max(0, ...names.map((name) => values.get(name)?.length ?? 0));
  const defaults = text.replace(VARIABLE, (whole, _plain, _braced, other?: string) => other ?? whole);
  const filled = Array.from({ length: count }, (_, at) =>
    text.replace(VARIABLE, (whole, plain?: string, braced?: string) => {
      const known = values.get(plain ?? braced ?? '') ?? [];
      return known[at] ?? known.at(-1) ?? whole;
    }),
  );
  return [...new Set([...filled, defaults])].filter((one) => one !== written);
}

/** `$(echo x)`, `` `printf x` ``, `$(which x)`. */
const PRINTS = /(?:\$\(|`)\s?(?:echo|printf|which|command -v|type -[pP])\s([^()`$]{0,1000})[)`]/g;

/** A text with what fixed substitutions print in their place, and with `{a,b}` and `$IFS` as words. */
function withPrinted(text: string): string {
  let filled = text
    .replace(/\$IFS\b|\$\{IFS\}/g, ' ')
    .replace(/(?<!\$)\{([^{}\s]{0,1000})\}/g, (whole, list: string) =>
      list.includes(',') ? list.replaceAll(',', ' ') : whole,
    );
  for (let depth = 0; depth < MAX_NESTED; depth++)
    filled = filled.replace(PRINTS, (_, printed: string) => printedText(printed));
  return filled;
}

/** What `echo` and `printf` print of their arguments, as far as that matters for a command. */
export const printedText = (args: string): string =>
  args.replaceAll(/(^|\s)-[neE]+(?=\s)|%s|["'\\]/g, '$1').trim();
