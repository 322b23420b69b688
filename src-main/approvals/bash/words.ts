import type { Word, WordPart } from 'unbash';

/** One word of a command, as the shell would hand it on where that can be told. */
export interface ShellWord {
  /** As written. */
  text: string;
  /** Without quotes; expansions stand as written. */
  value: string;
  /** The value is exactly what the command is given: nothing is expanded. */
  literal: boolean;
  /** Written without any quoting. */
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
