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
