// The Node entry declares its own `require`. A worker's bundle declares one too, and would not start.
import { strFromU8, unzipSync } from 'fflate/browser';
import { type DocumentJob, type DocumentText, UnreadableDocument } from './document-job';

/** Bytes of all unpacked text in a document. An archive may claim to hold any amount. */
const MAX_UNPACKED = 64 * 1024 * 1024;

/** Entries of the archive, of any type. */
const MAX_ENTRIES = 20_000;
/** UTF-16 units of all extracted text. One part may appear in many places. */
const MAX_TEXT = 64 * 1024 * 1024;
const TOO_MUCH = 'it holds more text than can be read';

/**
 * Extracts the text of a PowerPoint, Word, Excel or OpenDocument text file, which are archives of XML. Runs in the document
 * worker.
 */
export function officeText(job: DocumentJob): DocumentText {
  const whole = wholeText(unpack(job.bytes), new TextLimit());
  if (whole === null) throw new UnreadableDocument('it is an archive, and none of a kind that can be read');
  const { parts, ...kind } = whole;
  return { ...kind, total: parts.length, parts: parts.slice(job.offset, job.offset + job.limit) };
}

function wholeText(files: Files, limit: TextLimit): Omit<DocumentText, 'total'> | null {
  const word = files.get('word/document.xml');
  if (files.has('ppt/presentation.xml'))
    return { format: 'PowerPoint presentation', unit: 'slide', parts: slides(files, limit) };
  if (word !== undefined) return { format: 'Word document', unit: 'paragraph', parts: paragraphs(word, 'w') };
  if (files.has('xl/workbook.xml')) return { format: 'Excel workbook', unit: 'row', ...sheets(files, limit) };
  const text = files.get('mimetype') === OPEN_TEXT ? files.get('content.xml') : undefined;
  if (text === undefined) return null;
  return { format: 'OpenDocument text', unit: 'paragraph', parts: openParagraphs(text, limit) };
}

const OPEN_TEXT = 'application/vnd.oasis.opendocument.text';

type Files = ReadonlyMap<string, string>;

/** Counts the extracted text, and stops reading when there is too much. */
class TextLimit {
  private length = 0;

  add(length: number): void {
    this.length += length;
    if (this.length > MAX_TEXT) throw new UnreadableDocument(TOO_MUCH);
  }
}

const WANTED =
  /^(?:mimetype|content\.xml|ppt\/(?:presentation\.xml|_rels\/presentation\.xml\.rels|slides\/[^/]+\.xml|slides\/_rels\/[^/]+\.rels|notesSlides\/[^/]+\.xml)|word\/document\.xml|xl\/(?:workbook\.xml|_rels\/workbook\.xml\.rels|sharedStrings\.xml|worksheets\/[^/]+\.xml))$/u;

function unpack(bytes: Uint8Array): Files {
  let unpacked = 0;
  let count = 0;
  let entries: Record<string, Uint8Array>;
  try {
    entries = unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        count += 1;
        if (count > MAX_ENTRIES) throw new UnreadableDocument('it is an archive of too many files');
        if (!WANTED.test(name)) return false;
        unpacked += originalSize;
        if (unpacked > MAX_UNPACKED) throw new UnreadableDocument(TOO_MUCH);
        return true;
      },
    });
  } catch (error) {
    if (error instanceof UnreadableDocument) throw error;
    throw new UnreadableDocument('it is damaged and cannot be opened');
  }
  return new Map(Object.entries(entries).map(([name, content]) => [name, strFromU8(content)]));
}

/**
 * Calls `see` with each tag of an XML text, without its brackets, and with the text up to the next tag. It makes one pass,
 * however deep the nesting and whatever is left unclosed.
 */
function eachTag(xml: string, see: (name: string, tag: string, text: string) => void): void {
  for (let at = xml.indexOf('<'); at !== -1; ) {
    const end = xml.indexOf('>', at);
    if (end === -1) return;
    const next = xml.indexOf('<', end);
    const tag = xml.slice(at + 1, end);
    see(/^\/?[^\s/]*/u.exec(tag)?.[0] ?? '', tag, xml.slice(end + 1, next === -1 ? undefined : next));
    at = next;
  }
}

/** In the order of the presentation, with speaker notes below their slide. */
function slides(files: Files, limit: TextLimit): string[] {
  const targets = relations(files.get('ppt/_rels/presentation.xml.rels'));
  const read = new Map<string, string>();
  const found: string[] = [];
  eachTag(files.get('ppt/presentation.xml') ?? '', (name, tag) => {
    const id = name === 'p:sldId' ? attribute(tag, RELATION) : undefined;
    if (id === undefined) return;
    const file = `ppt/${targets.get(id) ?? ''}`;
    const slide = read.get(file) ?? slideText(files, file, limit);
    read.set(file, slide);
    limit.add(slide.length + 1);
    found.push(slide);
  });
  return found;
}

function slideText(files: Files, name: string, limit: TextLimit): string {
  const textOf = (file: string) => {
    const text = paragraphs(files.get(file) ?? '', 'a').join('\n');
    limit.add(text.length);
    return text;
  };
  const notes = new Set(relations(files.get(name.replace(/([^/]+)$/u, '_rels/$1.rels'))).values());
  const texts = [...notes]
    .filter((target) => target.includes('notesSlide'))
    .map((target) => textOf(`ppt/${target.replace('../', '')}`))
    .filter((note) => note.trim() !== '');
  return [textOf(name), ...texts.map((note) => `Notes: ${note}`)].join('\n').trim();
}

function relations(xml = ''): Map<string, string> {
  const found = new Map<string, string>();
  eachTag(xml, (name, tag) => {
    if (name !== 'Relationship') return;
    const id = attribute(tag, ID);
    const target = attribute(tag, TARGET);
    if (id !== undefined && target !== undefined) found.set(id, target.replace(/^\/(?:ppt|xl)\//u, ''));
  });
  return found;
}

const named = (name: string) => new RegExp(`\\s${name}="([^"]*)"`, 'u');
const RELATION = named('r:id');
const ID = named('Id');
const TARGET = named('Target');
const NAME = named('name');
const PLACE = named('r');
const TYPE = named('t');

const attribute = (tag: string, pattern: RegExp): string | undefined => {
  const value = pattern.exec(tag)?.[1];
  return value === undefined ? undefined : decoded(value);
};

/** The non-empty texts of `<a:p>` or `<w:p>`. */
function paragraphs(xml: string, prefix: 'a' | 'w'): string[] {
  const found: string[] = [];
  let text = '';
  const end = () => {
    if (text.trim() !== '') found.push(text);
    text = '';
  };
  eachTag(xml, (name, _, words) => {
    if (name === `${prefix}:t`) text += decoded(words);
    else if (name === `${prefix}:tab`) text += '\t';
    else if (name === `${prefix}:br`) text += '\n';
    else if (name === `/${prefix}:p`) end();
  });
  end();
  return found;
}

/** A run of at most this many blanks is written as one tag. */
const MAX_BLANKS = 1_000;
const COUNT = named('text:c');

/** The non-empty paragraphs and headings of an OpenDocument text, without what its author deleted. */
function openParagraphs(xml: string, limit: TextLimit): string[] {
  const found: string[] = [];
  let text = '';
  let depth = 0;
  let deleted = 0;
  const end = () => {
    if (text.trim() !== '') found.push(text);
    text = '';
  };
  eachTag(xml, (name, tag, words) => {
    const isWhole = tag.endsWith('/');
    if (name === 'text:tracked-changes' && !isWhole) deleted += 1;
    else if (name === '/text:tracked-changes') deleted -= 1;
    if (deleted > 0) return;
    if (name === 'text:p' || name === 'text:h') {
      // A note or a frame has paragraphs inside a paragraph.
      end();
      if (!isWhole) depth += 1;
    } else if (name === '/text:p' || name === '/text:h') {
      end();
      depth -= 1;
    } else if (name === 'text:s') {
      const count = Math.min(MAX_BLANKS, Number(attribute(tag, COUNT) ?? 1) || 1);
      limit.add(count);
      text += ' '.repeat(count);
    } else if (name === 'text:tab') text += '\t';
    else if (name === 'text:line-break') text += '\n';
    if (depth > 0) text += decoded(words);
  });
  end();
  return found;
}

/** The rows of all sheets, below the name of each sheet, with tabs between cells. Formulas appear as their results. */
function sheets(files: Files, limit: TextLimit): { parts: string[]; headings: number[] } {
  const targets = relations(files.get('xl/_rels/workbook.xml.rels'));
  const shared = sharedTexts(files.get('xl/sharedStrings.xml') ?? '');
  const read = new Map<string, string[]>();
  const found: string[] = [];
  const headings: number[] = [];
  eachTag(files.get('xl/workbook.xml') ?? '', (name, tag) => {
    if (name !== 'sheet') return;
    const file = `xl/${targets.get(attribute(tag, RELATION) ?? '') ?? ''}`;
    const sheet = read.get(file) ?? rows(files.get(file) ?? '', shared, limit);
    read.set(file, sheet);
    headings.push(found.length);
    found.push(`Sheet ${attribute(tag, NAME) ?? ''}`);
    for (const row of sheet) {
      limit.add(row.length + 1);
      found.push(row);
    }
  });
  return { parts: found, headings };
}

function sharedTexts(xml: string): string[] {
  const found: string[] = [];
  let text = '';
  eachTag(xml, (name, _, words) => {
    if (name === 't') text += decoded(words);
    if (name !== '/si') return;
    found.push(text);
    text = '';
  });
  return found;
}

interface Cell {
  tag: string;
  /** The value of its first element that has one. */
  value?: string;
}

function rows(xml: string, shared: readonly string[], limit: TextLimit): string[] {
  const found: string[] = [];
  let cells: string[] = [];
  let cell: Cell | undefined;
  const endCell = () => {
    if (cell === undefined) return;
    const { tag, value = '' } = cell;
    const at = columnOf(attribute(tag, PLACE)) ?? 0;
    // The file omits empty cells.
    while (cells.length < at) cells.push('');
    const text = attribute(tag, TYPE) === 's' ? (shared[Number(value)] ?? '') : decoded(value);
    limit.add(text.length + 1);
    cells.push(text);
    cell = undefined;
  };
  const endRow = () => {
    limit.add(cells.length);
    const row = cells.join('\t');
    if (row !== '') found.push(row);
    cells = [];
  };
  eachTag(xml, (name, tag, text) => {
    if (name === 'c') {
      cell = { tag };
      if (tag.endsWith('/')) endCell();
    } else if ((name === 'v' || name === 't') && cell !== undefined) cell.value ??= text;
    else if (name === '/c') endCell();
    else if (name === '/row') endRow();
  });
  endRow();
  return found;
}

/** 0-based column of `C7`; null past the 16,384 columns of the format. */
function columnOf(reference: string | undefined): number | null {
  const letters = /^[A-Z]{1,3}/u.exec(reference ?? '')?.[0];
  if (letters === undefined) return null;
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return column > 16_384 ? null : column - 1;
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

const decoded = (text: string): string =>
  text.replace(/&(?:#x([\da-f]{1,6})|#(\d{1,7})|([a-z]{2,4}));/giu, (whole, hex, decimal, name) => {
    if (typeof name === 'string') return ENTITIES[name] ?? whole;
    const code = typeof hex === 'string' ? Number.parseInt(hex, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
