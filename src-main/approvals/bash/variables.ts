import type { ArrayValue, SyntaxNode, Word } from 'unbash';
import { shellWord } from './words';

/** Fixed texts that a line gives to its variables, by name. */
export type Values = Map<string, string[]>;

/** Maximum values of one variable, which is also the maximum of texts of one command. */
const MAX_VALUES = 10;

/** Adds the values that an assignment or a loop gives to a variable. */
export function noteValues(node: SyntaxNode, values: Values): void {
  if (node.type === 'Assignment') note(values, node.name, [fixed(node.value)]);
  else if (node.type === 'For') note(values, node.name.value, (node.wordlist ?? []).map(fixed));
}

function note(values: Values, name: string, found: readonly (string | null)[]): void {
  const all = [...(values.get(name) ?? []), ...found.flatMap((value) => value ?? [])];
  values.set(name, [...new Set(all)].slice(0, MAX_VALUES));
}

/** The text of a value without expansions; of a list, all of its words. */
function fixed(value: Word | ArrayValue | undefined): string | null {
  if (value === undefined) return null;
  if (value.type === 'ArrayValue') {
    const words = value.elements.map(fixed);
    return words.every((word) => word !== null) ? words.join(' ') : null;
  }
  const word = shellWord(value);
  return word.literal ? word.value : null;
}

/** `$x`, `${x}`, `${x[@]}`, and the text in `${x:-text}`. */
const VARIABLE = /\$(?:(\w+)|\{(\w+)(?:\[[@*\d]+\])?(?::?[-=+]([^{}]*))?\})/g;

/** A command's text with its variables replaced: by the first value of each, by the second, and so on. */
export function withValues(written: string, values: Values): string[] {
  if (!written.includes('$')) return [];
  // Even in quotes, it stands for several words.
  const text = written.replaceAll(/"(\$\{\w+\[@\]\})"/g, '$1');
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
