/** A run of text, and whether it stands for a character that cannot be seen. */
export interface Piece {
  text: string;
  hidden: boolean;
}

/**
 * Characters that draw nothing or change how their neighbours are drawn: controls (not tab and line feed), soft hyphen,
 * zero-width and bidi controls, fillers, odd spaces, tags, variation selectors, lone surrogates and private use.
 */
const UNSEEN =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\u00a0\u115f\u1160\u1680\u2000-\u200a\u202f\u205f\u2800\u3000\u3164\uffa0]|[\ufe00-\ufe0f]|[\u{e0100}-\u{e01ef}]/u;

const escapes: Record<string, string> = {
  '\r': '\\r',
  '\b': '\\b',
  '\f': '\\f',
  '\v': '\\v',
  '\0': '\\0',
  '\x1b': '\\e',
};

/** Splits `text` so that each unseen character stands as its escape (`\u202e`). Tab and line feed stay. */
export function exactPieces(text: string): Piece[] {
  const pieces: Piece[] = [];
  let run = '';
  for (const character of text) {
    if (character === '\n' || character === '\t' || !UNSEEN.test(character)) {
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

/** Text as its bytes are: nothing in it can hide or reorder what stands beside it. */
export const ExactText = ({ text }: { text: string }) => (
  <bdo dir="ltr">
    {exactPieces(text).map((piece, index) =>
      piece.hidden ? (
        // biome-ignore lint/suspicious/noArrayIndexKey: a piece is its place
        <mark key={index} className="rounded-[3px] bg-deny-soft px-0.5 font-semibold text-deny">
          {piece.text}
        </mark>
      ) : (
        piece.text
      ),
    )}
  </bdo>
);
