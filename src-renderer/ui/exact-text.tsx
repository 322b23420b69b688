import { hasUnseen, lookAlikes } from '@contract/shared/unseen';

/** A run of text, and whether it stands for an invisible character. */
export interface Piece {
  text: string;
  hidden: boolean;
}

const escapes: Record<string, string> = {
  '\n': '\\n',
  '\t': '\\t',
  '\r': '\\r',
  '\b': '\\b',
  '\f': '\\f',
  '\v': '\\v',
  '\0': '\\0',
  '\x1b': '\\e',
};

/**
 * Splits `text` so that each invisible character becomes its escape (`\u202e`), and so does each letter in a Latin word that
 * only looks Latin. `strict` (for commands) escapes such letters anywhere. Tab and line feed stay, but not on `oneLine`, where
 * they look like a space: in a name they are part of it.
 */
export function exactPieces(text: string, strict = false, oneLine = false): Piece[] {
  const pieces: Piece[] = [];
  const alike = lookAlikes(text, strict);
  let run = '';
  let at = 0;
  for (const character of text) {
    const isAlike = alike.has(at);
    at += character.length;
    const isSpacing = !oneLine && (character === '\n' || character === '\t');
    if (!isAlike && (isSpacing || !hasUnseen(character))) {
      run += character;
      continue;
    }
    if (run !== '') pieces.push({ text: run, hidden: false });
    run = '';
    pieces.push({ text: escapes[character] ?? escaped(character), hidden: true });
  }
  if (run !== '') pieces.push({ text: run, hidden: false });
  return pieces;
}

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code > 0xffff) return `\\u{${code.toString(16)}}`;
  return code < 0x100
    ? `\\x${code.toString(16).padStart(2, '0')}`
    : `\\u${code.toString(16).padStart(4, '0')}`;
}

interface ExactTextProps {
  text: string;
  /** For commands. */
  strict?: boolean;
  /** For names. */
  oneLine?: boolean;
}

/** Shows text exactly as it is: nothing in it can hide or reorder its surroundings. */
export const ExactText = ({ text, strict = false, oneLine = false }: ExactTextProps) => (
  <bdo dir="ltr">
    {exactPieces(text, strict, oneLine).map((piece, index) =>
      piece.hidden ? (
        // biome-ignore lint/suspicious/noArrayIndexKey: a piece is its place
        <mark key={index} className="rounded-mark bg-deny-soft px-0.5 font-semibold text-deny">
          {piece.text}
        </mark>
      ) : (
        piece.text
      ),
    )}
  </bdo>
);
