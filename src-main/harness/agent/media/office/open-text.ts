import type { Files, TextLimit } from './archive';
import { attribute, decoded, eachTag, isWhole, named, Skipped } from './xml';

/** A run of at most this many blanks is written as one tag. */
const MAX_BLANKS = 1_000;
const COUNT = named('text:c');

/** What its author deleted, and who wrote a comment when. */
const NOT_SHOWN: ReadonlySet<string> = new Set([
  'text:tracked-changes',
  'dc:date',
  'dc:creator',
  'meta:creator-initials',
]);
const LABELS: Readonly<Record<string, string>> = {
  'office:annotation': 'Comment: ',
  'text:note': 'Note: ',
};
const MARGINS: ReadonlySet<string> = new Set(['style:header', 'style:footer']);

/** The non-empty paragraphs, headings and rows of tables of an OpenDocument text, then its headers and footers. */
export function openText(files: Files, limit: TextLimit): string[] {
  const found = new OpenParagraphs(limit).read(files.get('content.xml') ?? '');
  const margins: string[] = [];
  let parts: string[] = [];
  let isMargin = false;
  eachTag(files.get('styles.xml') ?? '', (name, tag, words) => {
    if (MARGINS.has(name) && !isWhole(tag)) isMargin = true;
    else if (isMargin && name.startsWith('/') && MARGINS.has(name.slice(1))) {
      const text = new OpenParagraphs(limit).read(parts.join('')).join('\n');
      const label = name === '/style:header' ? 'Header' : 'Footer';
      if (text !== '') margins.push(`${label}: ${text}`);
      parts = [];
      isMargin = false;
    } else if (isMargin) parts.push(`<${tag}>${words}`);
  });
  return [...found, ...new Set(margins)];
}

class OpenParagraphs {
  /** A paragraph has its place from its start on: a note inside it follows. */
  private readonly found: string[] = [];
  private readonly open: { at: number; text: string }[] = [];
  private readonly skipped = new Skipped(NOT_SHOWN);
  private label = '';
  /** The cells of the row of the outermost table, and where it starts. */
  private row: { at: number; cells: string[][] } | null = null;
  private tables = 0;

  constructor(private readonly limit: TextLimit) {}

  read(xml: string): string[] {
    eachTag(xml, (name, tag, words) => {
      if (this.skipped.has(name, tag)) return;
      this.see(name, tag);
      const at = this.open.at(-1);
      if (at !== undefined) at.text += decoded(words);
    });
    while (this.open.length > 0) this.end();
    return this.found.filter((text) => text.trim() !== '');
  }

  private see(name: string, tag: string): void {
    const at = this.open.at(-1);
    if (name === 'text:p' || name === 'text:h') {
      if (!isWhole(tag)) this.start();
    } else if (name === '/text:p' || name === '/text:h') this.end();
    else if (LABELS[name] !== undefined) this.label = LABELS[name];
    else if (name === '/office:annotation' || name === '/text:note') this.label = '';
    else if (name.includes('table:table')) this.table(name, tag);
    else if (at === undefined) return;
    else if (name === 'text:s') {
      const count = Math.min(MAX_BLANKS, Number(attribute(tag, COUNT) ?? 1) || 1);
      this.limit.add(count);
      at.text += ' '.repeat(count);
    } else if (name === 'text:tab') at.text += '\t';
    else if (name === 'text:line-break') at.text += '\n';
  }

  private start(): void {
    this.open.push({ at: this.found.length, text: this.label });
    this.label = '';
    this.found.push('');
  }

  private end(): void {
    const ended = this.open.pop();
    if (ended === undefined) return;
    const cell = this.row?.cells.at(-1);
    const isInCell = cell !== undefined && this.open.length === 0;
    if (isInCell) cell.push(ended.text);
    else this.found[ended.at] = ended.text;
  }

  private table(name: string, tag: string): void {
    if (name === 'table:table' && !isWhole(tag)) this.tables += 1;
    else if (name === '/table:table') this.tables = Math.max(0, this.tables - 1);
    if (this.tables !== 1) return;
    if (name === 'table:table-row' && !isWhole(tag)) {
      this.row = { at: this.found.length, cells: [] };
      this.found.push('');
    } else if (/^table:(?:covered-)?table-cell$/u.test(name)) this.row?.cells.push([]);
    else if (name === '/table:table-row' && this.row !== null) {
      const { at, cells } = this.row;
      this.found[at] = cells.map((texts) => texts.join('\n')).join('\t');
      this.row = null;
    }
  }
}
