import type { ShellWord } from '../parsing/words';

/** The options with which a command counts as harmless. */
export interface AllowedOptions {
  /** Letters of short options without a value. */
  flags?: string;
  /** Letters of short options with a value, in the same word or the next. Such an option is not combined with others. */
  values?: string;
  /** The program takes a short option's value only from the next word. */
  apart?: true;
  /** Long options without the dashes. Those with a value end with `=`. */
  long?: readonly string[];
}

export type ParsedOptions =
  | { operands: ShellWord[]; options: { name: string; value: ShellWord | null }[] }
  | { unknown: string };

/** Parses options as GNU programs do. The first option that is not allowed is `unknown`. The word `--` ends the options. */
export function parseOptions(words: readonly ShellWord[], allowed: AllowedOptions): ParsedOptions {
  const { flags = '', values = '', long = [] } = allowed;
  const operands: ShellWord[] = [];
  const options: { name: string; value: ShellWord | null }[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at];
    if (word === undefined) break;
    const { value } = word;
    if (value === '--') {
      operands.push(...words.slice(at + 1));
      break;
    }
    if (value.startsWith('--')) {
      const equals = value.indexOf('=');
      const name = equals === -1 ? value.slice(2) : value.slice(2, equals);
      if (long.includes(name) && equals === -1) options.push({ name, value: null });
      else if (long.includes(`${name}=`)) {
        const own = equals === -1 ? words[++at] : { ...word, value: value.slice(equals + 1) };
        if (own === undefined) return { unknown: value };
        options.push({ name, value: own });
      } else return { unknown: value };
    } else if (/^-\d+$/.test(value) && flags.includes('0')) {
      // `head -5`
    } else if (value.startsWith('-') && value !== '-') {
      for (let letter = 1; letter < value.length; letter++) {
        const name = value.charAt(letter);
        if (flags.includes(name)) options.push({ name, value: null });
        // Programs differ in how they read options combined with one that takes a value.
        else if (letter === 1 && values.includes(name) && (value.length === 2 || allowed.apart !== true)) {
          const rest = value.slice(letter + 1);
          const own = rest === '' ? words[++at] : { ...word, value: rest };
          if (own === undefined) return { unknown: value };
          options.push({ name, value: own });
          break;
        } else return { unknown: `-${name}` };
      }
    } else operands.push(word);
  }
  return { operands, options };
}
