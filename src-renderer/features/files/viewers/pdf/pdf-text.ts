import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';

type TextContent = Awaited<ReturnType<Awaited<ReturnType<PDFDocumentProxy['getPage']>>['getTextContent']>>;

/** The text of a page as one string, and where in it each of its text items starts. */
export interface PageText {
  text: string;
  starts: readonly number[];
}

/** A part of a page's text. */
export interface PagePlace {
  begin: number;
  end: number;
}

/** Characters that have a meaning in regular expressions. */
const SIGNS = /[\\^$.*+?()[\]{}|]/gu;

/** Puts a space between an item that ends its line and the next one. */
export function pageText({ items }: Pick<TextContent, 'items'>): PageText {
  const starts: number[] = [];
  let text = '';
  for (const item of items) {
    if (!('str' in item)) continue;
    starts.push(text.length);
    text += item.hasEOL ? `${item.str} ` : item.str;
  }
  return { text, starts };
}

/** Where the query occurs in a text, ignoring case. Any whitespace matches any other. */
export function placesIn(text: string, query: string): PagePlace[] {
  const words = query.trim().split(/\s+/u);
  if (words[0] === '') return [];
  const wanted = new RegExp(words.map((word) => word.replace(SIGNS, '\\$&')).join('\\s+'), 'giu');
  return [...text.matchAll(wanted)].map(({ index, 0: found }) => ({
    begin: index,
    end: index + found.length,
  }));
}

/** The range in the elements that hold the items, in order. */
export function rangeOf(
  { begin, end }: PagePlace,
  { starts }: PageText,
  pieces: readonly HTMLElement[],
): Range | null {
  const spot = (at: number) => {
    const piece = starts.findLastIndex((start) => start <= at);
    return { node: pieces[piece]?.firstChild, at: at - (starts[piece] ?? 0) };
  };
  const from = spot(begin);
  const to = spot(end - 1);
  if (!from.node || !to.node) return null;
  const lengthOf = (node: ChildNode) => node.textContent?.length ?? 0;
  const range = document.createRange();
  range.setStart(from.node, Math.min(from.at, lengthOf(from.node)));
  range.setEnd(to.node, Math.min(to.at + 1, lengthOf(to.node)));
  return range;
}
