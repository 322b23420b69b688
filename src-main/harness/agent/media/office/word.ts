import type { Files, TextLimit } from './archive';
import { Styles } from './looks';
import { paragraphs } from './paragraphs';
import { attribute, eachTag, isWhole, named } from './xml';

const AUTHOR = named('w:author');

/** Word on the web numbers the parts that it writes: `document2.xml`. */
export const WORD_TEXT = /^word\/document\d*\.xml$/u;

/** The text, and below it what is not part of it: headers, footers, notes and comments. */
export function wordText(files: Files, limit: TextLimit): string[] {
  const names = [...files.keys()].sort();
  const part = (pattern: RegExp) => files.get(names.find((name) => pattern.test(name)) ?? '') ?? '';
  const styles = new Styles(part(/^word\/styles\d*\.xml$/u));
  const found = paragraphs(part(WORD_TEXT), 'w', styles);
  const margin = (pattern: RegExp, label: string) => {
    const texts = names
      .filter((name) => pattern.test(name))
      .map((name) => paragraphs(files.get(name) ?? '', 'w', styles).join('\n'));
    for (const text of new Set(texts)) if (text !== '') found.push(`${label}: ${text}`);
  };
  margin(/^word\/header\d*\.xml$/u, 'Header');
  margin(/^word\/footer\d*\.xml$/u, 'Footer');
  const each = (pattern: RegExp, element: string, label: string) =>
    found.push(...notes(part(pattern), element, label, styles));
  each(/^word\/footnotes\d*\.xml$/u, 'w:footnote', 'Footnote');
  each(/^word\/endnotes\d*\.xml$/u, 'w:endnote', 'Endnote');
  each(/^word\/comments\d*\.xml$/u, 'w:comment', 'Comment');
  for (const { length } of found) limit.add(length);
  return found;
}

/** One line for each element that holds a note. */
function notes(xml: string, element: string, label: string, styles: Styles): string[] {
  const found: string[] = [];
  let start: { author: string; parts: string[] } | null = null;
  eachTag(xml, (name, tag, words) => {
    if (name === element && !isWhole(tag)) {
      const author = attribute(tag, AUTHOR) ?? '';
      start = { author: author === '' ? '' : ` by ${author}`, parts: [] };
    } else if (name === `/${element}` && start !== null) {
      const text = paragraphs(start.parts.join(''), 'w', styles).join('\n');
      if (text !== '') found.push(`${label}${start.author}: ${text}`);
      start = null;
    } else start?.parts.push(`<${tag}>${words}`);
  });
  return found;
}
