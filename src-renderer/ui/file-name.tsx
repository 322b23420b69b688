import type { ReactNode } from 'react';
import { exactPieces } from './exact-text';

/** Characters that are drawn as one, and those that would break a line. */
const WHOLE = /(\p{Extended_Pictographic}\ufe0f?(?:\u200d\p{Extended_Pictographic}\ufe0f?)*|[\n\t])/u;
const BREAKS: Record<string, string> = { '\n': '\\n', '\t': '\\t' };

/** Splits a name. Characters that are invisible, or would reverse their neighbors, appear as their escapes. */
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

/** All or part of a name. */
export const NamePart = ({ text }: { text: string }) =>
  piecesOf(text).map((piece, index) =>
    piece.hidden ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the index identifies a piece
      <mark key={index} className="rounded-mark bg-ask-soft px-0.5 text-ask-text">
        {piece.text}
      </mark>
    ) : (
      piece.text
    ),
  );

/** The name of a file. A right-to-left name is drawn as such without affecting the text beside it. */
export const FileName = ({ name }: { name: string }) => (
  <bdi dir="ltr">
    <NamePart text={name} />
  </bdi>
);

/** The length from which a name counts as long, and how many characters at its end are always shown. */
const LONG = 24;
const END = 10;
/** Right-to-left scripts: the name's end is not at the end of the line. */
const FROM_RIGHT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const signs = new Intl.Segmenter();

interface LineNameProps {
  name: string;
  /** The name from an index to another as it is drawn, such as with what was found in it. */
  part?: (begin: number, end: number) => ReactNode;
}

/** The name of a file on one line. A long name is truncated in the middle, because its end says what it is. */
export const LineName = ({
  name,
  part = (begin, end) => <NamePart text={name.slice(begin, end)} />,
}: LineNameProps) => {
  const parts = name.length > LONG && !FROM_RIGHT.test(name) ? [...signs.segment(name)] : [];
  const cut = parts[parts.length - END]?.index;
  if (cut === undefined || parts.length <= LONG)
    return (
      <span className="min-w-0 truncate">
        <bdi dir="ltr">{part(0, name.length)}</bdi>
      </span>
    );
  return (
    <>
      <span className="sr-only select-none">
        <FileName name={name} />
      </span>
      {/* Not `truncate`, which drops the space at the cut. */}
      <span aria-hidden className="flex min-w-0 whitespace-pre">
        <bdi dir="ltr" className="overflow-hidden text-ellipsis">
          {part(0, cut)}
        </bdi>
        <bdi dir="ltr" className="max-w-1/2 shrink-0 overflow-hidden text-ellipsis">
          {part(cut, name.length)}
        </bdi>
      </span>
    </>
  );
};
