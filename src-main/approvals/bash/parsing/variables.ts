import type { ArrayValue, Command, SyntaxNode, Word } from 'unbash';
import { type ShellWord, shellWord } from './words';
import { innerOf } from './wrappers';

/** Fixed texts that a line gives to its variables, by name. */
export type Values = Map<string, string[]>;

/** Maximum values of one variable, which is also the maximum of texts of one command. */
const MAX_VALUES = 10;
/** Maximum UTF-16 units of a value, since values can double each other, and of all texts of one line. */
const MAX_LENGTH = 1_000;
const MAX_TOTAL = 50_000;
/** Maximum nesting of substitutions that are replaced. */
const MAX_NESTED = 3;

/** How a new value of a variable changes its earlier ones: all of them are possible, or only the last. */
type Keeping = 'all' | 'last';

/** Adds the values that a part of a line gives to variables. `functions`: names of the line's functions. */
export function noteValues(
  node: SyntaxNode,
  values: Values,
  keeping: Keeping,
  functions: ReadonlyMap<string, unknown>,
): void {
  const note = (name: string, found: readonly string[]) => {
    const before = keeping === 'all' ? (values.get(name) ?? []) : [];
    // `${!x}`, and references of `declare -n`: the value may name another variable.
    const named = keeping === 'all' ? found.flatMap((text) => values.get(text) ?? []) : [];
    const short = [...found, ...named].filter(({ length }) => length <= MAX_LENGTH);
    values.set(name, [...new Set([...before, ...short])].slice(0, MAX_VALUES));
  };
  if (node.type === 'For') {
    const words = node.wordlist ?? [];
    note(
      node.name.value,
      words.flatMap((word) => textsOf(word, values)),
    );
  }
  if (node.type === 'Command') {
    const given = new Map<string, string[]>();
    for (const [name, text] of givenByCommand(node, values, functions))
      given.set(name, [...(given.get(name) ?? []), text]);
    for (const [name, texts] of given) note(name, texts);
  }
  if (node.type !== 'Assignment') return;
  const texts = textsOf(node.value, values);
  const before = node.append === true ? (values.get(node.name) ?? []) : [''];
  note(
    node.name,
    before.flatMap((start) => texts.map((text) => start + text)),
  );
}

/** `${x:=text}` */
const GIVES_DEFAULT = /\$\{(\w+):?=([^{}]*)\}/g;

/** Maximum `shift`s of a function or script that are considered. */
export const MAX_SHIFTS = 3;

/** The values of `$1`, `$2`, `$@` and `$*` for these arguments, of which the first `shifts` may be dropped for the last two. */
export const positional = (texts: readonly string[], shifts = MAX_SHIFTS): [name: string, text: string][] => [
  ...texts.slice(0, MAX_VALUES).map((text, at): [string, string] => [`${at + 1}`, text]),
  ...texts.slice(0, shifts).flatMap((_, at): [string, string][] => {
    const text = texts.slice(at).join(' ');
    return [
      ['@', text],
      ['*', text],
    ];
  }),
];

/** The name under which another name of a program is noted. */
const aliasOf = (name: string) => `${ALIAS}${name.split('/').at(-1)}`;
const ALIAS = 'alias ';

/**
 * The command with programs that the line gave another name, under the first one: `alias g=git; g push`, `ln -s /usr/bin/git g;
 * nice ./g push`. Empty if there is none.
 */
export function namedCommand(words: readonly ShellWord[], values: Values): string[] {
  if (![...values.keys()].some((name) => name.startsWith(ALIAS))) return [];
  const starts = programsAmong(words);
  const named = words.map((word) =>
    // A copy into `folder/` has no name of its own.
    starts.has(word) && !word.value.endsWith('/') ? (values.get(aliasOf(word.value)) ?? []) : [],
  );
  const count = Math.max(0, ...named.map(({ length }) => length));
  return Array.from({ length: count }, (_, at) =>
    words.map(({ text }, index) => named[index]?.[at] ?? named[index]?.at(-1) ?? text).join(' '),
  );
}

/** The program of a command, and those of the commands that it runs. */
function programsAmong(words: readonly ShellWord[]): ReadonlySet<ShellWord> {
  const found = new Set<ShellWord>();
  let command = words;
  while (found.size < MAX_VALUES) {
    const [first, ...rest] = command;
    if (first === undefined) break;
    found.add(first);
    const inner = innerOf(first.value.split('/').at(-1) ?? '', rest);
    if (inner === null || !('words' in inner)) break;
    command = inner.words;
  }
  return found;
}

/**
 * What a command gives to variables: `set -- a b`, `read x y <<< text`, `printf -v x text`, `: ${x:=text}`, and a function's
 * arguments; and to other names of a program.
 */
function givenByCommand(
  { name, args, redirects }: Command,
  values: Values,
  functions: ReadonlyMap<string, unknown>,
): [name: string, text: string][] {
  const words = args.flatMap((arg) => (arg.type === 'Word' ? [textsOf(arg, values)[0] ?? arg.text] : []));
  const given = args.flatMap(({ text: word }) =>
    [...word.matchAll(GIVES_DEFAULT)].map(([, own = '', text = '']): [string, string] => [own, text]),
  );
  switch (name?.value) {
    case 'set': {
      const texts = words[0] === '--' ? words.slice(1) : words;
      if (texts[0] === undefined || (texts === words && /^[-+]/.test(texts[0]))) return given;
      return [...given, ...positional(texts)];
    }
    case 'read': {
      const input = redirects.find((redirect) => redirect.type === 'HereString');
      const fields = textsOf(input?.target, values)[0]?.trim().split(/\s+/) ?? [];
      const names = words.filter((word) => /^[A-Za-z_]\w*$/.test(word));
      const isLast = (at: number) => at === names.length - 1;
      if (fields.length === 0) return given;
      return [
        ...given,
        ...names.map((own, at): [string, string] => [
          own,
          fields.slice(at, isLast(at) ? undefined : at + 1).join(' '),
        ]),
      ];
    }
    case 'mapfile':
    case 'readarray': {
      const input = redirects.find((redirect) => redirect.type === 'HereString');
      return [...given, [words.at(-1) ?? '', textsOf(input?.target, values)[0] ?? '']];
    }
    case 'alias':
      return args.flatMap((arg): [string, string][] =>
        arg.type === 'Assignment' ? [[aliasOf(arg.name), textsOf(arg.value, values)[0] ?? '']] : [],
      );
    case 'hash':
    case 'ln':
    case 'link':
    case 'cp':
    case 'mv':
    case 'install': {
      const operands = words.filter((word) => !word.startsWith('-'));
      return [...given, [aliasOf(operands.at(-1) ?? ''), operands.at(-2) ?? '']];
    }
    case 'printf':
      return words[0] === '-v' ? [...given, [words[1] ?? '', printedText(words.slice(2).join(' '))]] : given;
    default:
      return functions.has(name?.value ?? '') ? [...given, ...positional(words)] : given;
  }
}

/** The texts that a value may be, with variables of the line replaced; of a list, all of its words. None if it is unknown. */
export function textsOf(value: Word | ArrayValue | undefined, values: Values): string[] {
  if (value === undefined) return [];
  if (value.type === 'ArrayValue') {
    const words = value.elements.map((word) => textsOf(word, values)[0]?.replace(/^\[[^\]]*\]=/, ''));
    return words.every((word) => word !== undefined) ? [words.join(' ')] : [];
  }
  const word = shellWord(value);
  // A pattern stands for itself, and so does the home folder.
  const unknown = word.value.replaceAll(/\$HOME\b|\$\{HOME\}/g, '');
  return word.literal || !/[$`<>]/.test(unknown) ? [word.value] : withValues(word.value, values);
}

/** `$x`, `$@`, `${x}`, `${!x}`, `${x[@]}`, and the text in `${x:-text}`. */
const VARIABLE = /\$(?:(\w+|[@*])|\{!?(\w+|[@*])(?:\[[^\]]{0,100}\])?(?::?[-=+]([^{}]*))?\})/g;

/** UTF-16 units that the texts of one line may still have. */
export interface Budget {
  left: number;
}
export const newBudget = (): Budget => ({ left: MAX_TOTAL });

/** What a command may be with its variables replaced, as far as all texts of the line are short. */
export function filledIn(text: string, values: Values, budget: Budget): string[] {
  if (!/[$`{]/.test(text) || text.length > budget.left) return [];
  const texts = withValues(text, values);
  budget.left -= texts.reduce((sum, { length }) => sum + length, 0);
  return budget.left < 0 ? [] : texts;
}

/** A text with its variables replaced: by the first value of each, by the second, and so on. */
function withValues(written: string, values: Values): string[] {
  // Even in quotes, it stands for several words.
  const text = withPrinted(written).replaceAll(/"(\$\{\w+\[@\]\}|\$@|\$\{@\})"/g, '$1');
  const names = [...text.matchAll(VARIABLE)].map(([, plain, braced]) => plain ?? braced ?? '');
  const count = Math.max(0, ...names.map((name) => values.get(name)?.length ?? 0));
  const defaults = text.replace(VARIABLE, (whole, _plain, _braced, other?: string) => other ?? whole);
  const filled = Array.from({ length: count }, (_, at) =>
    text.replace(VARIABLE, (whole, plain?: string, braced?: string) => {
      const known = values.get(plain ?? braced ?? '') ?? [];
      return known[at] ?? known.at(-1) ?? whole;
    }),
  );
  const separators = (values.get('IFS') ?? []).join('').replaceAll(/\s/g, '');
  const split = [...filled, defaults].map((one) =>
    [...new Set(separators)].reduce((left, separator) => left.replaceAll(separator, ' '), one),
  );
  return [...new Set([...filled, defaults, ...split])].filter((one) => one !== written);
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
