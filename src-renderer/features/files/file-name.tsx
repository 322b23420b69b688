import { exactPieces } from '../../ui';

/** Signs that are drawn as one, and what would break a line. */
const WHOLE = /(\p{Extended_Pictographic}\ufe0f?(?:\u200d\p{Extended_Pictographic}\ufe0f?)*|[\n\t])/u;
const BREAKS: Record<string, string> = { '\n': '\\n', '\t': '\\t' };

/** A name in pieces: what is not seen, or would turn its neighbours round, stands as its escape. */
function piecesOf(text: string): { text: string; hidden: boolean }[] {
  return text.split(WHOLE).flatMap((part, at) => {
    const broken = BREAKS[part];
    if (broken !== undefined) return { text: broken, hidden: true };
    return at % 2 === 1 ? { text: part, hidden: false } : exactPieces(part);
  });
}

/** A name or path for a tooltip. */
export const plainName = (text: string): string =>
  piecesOf(text)
    .map((piece) => piece.text)
    .join('');

/** A part of a name, or all of it. */
export const NamePart = ({ text }: { text: string }) =>
  piecesOf(text).map((piece, index) =>
    piece.hidden ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: a piece is its place
      <mark key={index} className="rounded-mark bg-ask-soft px-0.5 text-ask-text">
        {piece.text}
      </mark>
    ) : (
      piece.text
    ),
  );

/** The name of a file. One written from right to left is drawn so, and changes nothing beside it. */
export const FileName = ({ name }: { name: string }) => (
  <bdi dir="ltr">
    <NamePart text={name} />
  </bdi>
);
