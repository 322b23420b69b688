import type { Word, WordPart } from 'unbash';

/** One word of a command, as the shell would pass it on, if that can be determined. */
export interface ShellWord {
  /** As written. */
  text: string;
  /** Without quotes; expansions stay as written. */
  value: string;
  /** The command receives exactly this value: nothing is expanded. */
  literal: boolean;
  /** Written without quotes. */
  bare: boolean;
}

export function shellWord(word: Word): ShellWord {
  const { text, value, parts } = word;
  const literal = (parts ?? []).every(isLiteral) && !/^~/.test(text);
  return { text, value, literal, bare: text === value };
}

function isLiteral(part: WordPart): boolean {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return true;
    case 'DoubleQuoted':
      return part.parts.every(isLiteral);
    default:
      return false;
  }
}

/** The words that are no options: before `--` those without a dash, and all after it. */
export function operandsOf(words: readonly ShellWord[]): ShellWord[] {
  const end = words.findIndex(({ value }) => value === '--');
  const before = end === -1 ? words : words.slice(0, end);
  const plain = before.filter(({ value, literal }) => !literal || value === '-' || !value.startsWith('-'));
  return end === -1 ? plain : [...plain, ...words.slice(end + 1)];
}
