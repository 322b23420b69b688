/** A run of text, and whether it stands for an invisible character. */
export interface Piece {
  text: string;
  hidden: boolean;
}

/** The list of `contract/shared/unseen.ts`, which these parts do not know. A test compares the two. */
const UNSEEN =
  /(?! )[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}\u2800\ufffc\u{1d159}]/u;

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

/** Letters that look Latin: Cyrillic, some Greek, full-width and mathematical. */
const ALIKE =
  /[\p{Script=Cyrillic}\u0391\u0392\u0395-\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7\u03b9\u03bd\u03bf\u03c1\u03c5\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\u{1d400}-\u{1d7ff}]/u;
const WORD = /[\p{L}\p{N}_]+/gu;
const LATIN = /\p{Script=Latin}/u;

/** The UTF-16 indexes of letters that make a word look like another one: among Latin letters or, if `strict`, anywhere. */
function lookAlikes(text: string, strict: boolean): Set<number> {
  const places = new Set<number>();
  if (!ALIKE.test(text)) return places;
  for (const { 0: word, index } of text.matchAll(WORD)) {
    if (!strict && !LATIN.test(word)) continue;
    let at = index;
    for (const character of word) {
      if (ALIKE.test(character)) places.add(at);
      at += character.length;
    }
  }
  return places;
}

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
    if (!isAlike && (isSpacing || !UNSEEN.test(character))) {
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
