import { type Files, relations, type TextLimit } from './archive';
import { type TimeFormat, timeFormats, timeText } from './number-format';
import { attribute, decoded, eachTag, isWhole, local, named, Skipped } from './xml';

const RELATION = named('(?:\\w+:)?id');
const NAME = named('name');
const PLACE = named('r');
const TYPE = named('t');
const STYLE = named('s');
const COMMENTED = named('ref');
const FROM_1904 = named('date1904');
const STATE = named('state');
const HIDDEN = named('hidden');
const FIRST = named('min');
const LAST = named('max');

interface Row {
  text: string;
  /** As in `DocumentText`. */
  mark: string;
}

interface SheetText {
  rows: Row[];
  /** Such as `C`, or `E:G`. */
  hiddenColumns: string[];
}

/** What all sheets of a workbook share. */
interface Workbook {
  files: Files;
  shared: readonly string[];
  formats: readonly (TimeFormat | null)[];
  from1904: boolean;
  limit: TextLimit;
}

/**
 * The rows of all sheets, below the name of each sheet, with tabs between cells. A formula follows its result in brackets;
 * it stands alone if no program has calculated it yet. Comments are below the rows.
 */
export function sheets(
  files: Files,
  limit: TextLimit,
): { parts: string[]; headings: number[]; marks: string[] } {
  const targets = relations(files, 'xl/workbook.xml');
  const book: Workbook = {
    files,
    shared: sharedTexts(files.get('xl/sharedStrings.xml') ?? ''),
    formats: timeFormats(files),
    from1904: false,
    limit,
  };
  const read = new Map<string, SheetText>();
  const parts: string[] = [];
  const headings: number[] = [];
  const marks: string[] = [];
  eachTag(files.get('xl/workbook.xml') ?? '', (prefixed, tag) => {
    const name = local(prefixed);
    if (name === 'workbookPr') book.from1904 = /^(?:1|true)$/u.test(attribute(tag, FROM_1904) ?? '');
    if (name !== 'sheet') return;
    const file = targets.get(attribute(tag, RELATION) ?? '') ?? '';
    const sheet = read.get(file) ?? sheetText(file, book);
    read.set(file, sheet);
    headings.push(parts.length);
    parts.push(`Sheet ${attribute(tag, NAME) ?? ''}`);
    marks.push(sheetMark(/hidden$/iu.test(attribute(tag, STATE) ?? ''), sheet.hiddenColumns));
    for (const { text, mark } of sheet.rows) {
      limit.add(text.length + mark.length + 1);
      parts.push(text);
      marks.push(mark);
    }
  });
  return { parts, headings, marks };
}

function sheetMark(isHidden: boolean, columns: readonly string[]): string {
  const hidden = [
    ...(isHidden ? ['hidden'] : []),
    ...(columns.length > 0 ? [`hidden columns: ${columns.join(', ')}`] : []),
  ];
  return hidden.length === 0 ? '' : `(${hidden.join('; ')}) `;
}

function sheetText(file: string, book: Workbook): SheetText {
  const { found, hiddenColumns } = rows(book.files.get(file) ?? '', book);
  return { rows: [...found, ...comments(file, book).map((text) => ({ text, mark: '' }))], hiddenColumns };
}

/** How a word is pronounced is not part of the text. */
const PHONETIC: ReadonlySet<string> = new Set(['rPh']);

function sharedTexts(xml: string): string[] {
  const found: string[] = [];
  const skipped = new Skipped(PHONETIC);
  let text = '';
  eachTag(xml, (prefixed, tag, words) => {
    const name = local(prefixed);
    if (skipped.has(name, tag)) return;
    if (name === 't') text += words;
    // An empty text has one tag.
    if (name !== '/si' && !(name === 'si' && isWhole(tag))) return;
    found.push(cellText(text));
    text = '';
  });
  return found;
}

/** On one line and in one column. Excel writes some characters as `_x000D_`. */
const cellText = (text: string): string =>
  decoded(text)
    .replaceAll(/_x([\dA-Fa-f]{4})_/gu, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll(/[\t\r\n]+/gu, ' ');

interface Cell {
  tag: string;
  value: string;
  formula: string;
}

function rows(xml: string, book: Workbook): { found: Row[]; hiddenColumns: string[] } {
  const { limit } = book;
  const found: Row[] = [];
  const hiddenColumns: string[] = [];
  const skipped = new Skipped(PHONETIC);
  let cell: Cell | undefined;
  let line = '';
  /** Columns of the row so far, and the one of the last text. */
  let columns = 0;
  let last = 0;
  let number = 0;
  let isHidden = false;
  const endCell = () => {
    if (cell === undefined) return;
    const at = Math.max(columnOf(attribute(cell.tag, PLACE)) ?? 0, columns);
    const text = shownCell(cell, book);
    limit.add(text.length + 1);
    // The file omits empty cells.
    if (text !== '') {
      line += '\t'.repeat(at - last) + text;
      last = at;
    }
    columns = at + 1;
    cell = undefined;
  };
  const endRow = () => {
    limit.add(columns);
    if (line !== '') found.push({ text: line, mark: `${number}${isHidden ? ' (hidden)' : ''}\t` });
    line = '';
    columns = 0;
    last = 0;
  };
  eachTag(xml, (prefixed, tag, text) => {
    const name = local(prefixed);
    if (skipped.has(name, tag)) return;
    if (name === 'row') {
      // The file may leave out the number of a row that follows the one before.
      number = Number(attribute(tag, PLACE) ?? number + 1) || number + 1;
      isHidden = isSet(attribute(tag, HIDDEN));
    } else if (name === 'col' && isSet(attribute(tag, HIDDEN)) && hiddenColumns.length < MAX_HIDDEN) {
      hiddenColumns.push(columnSpan(Number(attribute(tag, FIRST)), Number(attribute(tag, LAST))));
    } else if (name === 'c') {
      cell = { tag, value: '', formula: '' };
      if (isWhole(tag)) endCell();
    } else if ((name === 'v' || name === 't') && cell !== undefined) cell.value += text;
    else if (name === 'f' && cell !== undefined) cell.formula = cellText(text);
    else if (name === '/c') endCell();
    else if (name === '/row') endRow();
  });
  endRow();
  return { found, hiddenColumns };
}

/** Spans of columns that a sheet's heading names. */
const MAX_HIDDEN = 20;

const isSet = (value: string | undefined): boolean => value === '1' || value === 'true';

const columnSpan = (first: number, last: number): string =>
  last > first ? `${columnName(first)}:${columnName(last)}` : columnName(first);

/** The letters of a 1-based column. */
function columnName(column: number): string {
  if (!(column >= 1 && column <= 16_384)) return '?';
  const before = Math.floor((column - 1) / 26);
  return (before === 0 ? '' : columnName(before)) + String.fromCharCode(65 + ((column - 1) % 26));
}

function shownCell({ tag, value, formula }: Cell, book: Workbook): string {
  const text = valueText(tag, value, book);
  if (formula === '') return text;
  return text === '' ? `=${formula}` : `${text} (=${formula})`;
}

function valueText(tag: string, value: string, { shared, formats, from1904 }: Workbook): string {
  if (value === '') return '';
  switch (attribute(tag, TYPE) ?? 'n') {
    case 's':
      return shared[Number(value)] ?? '';
    case 'b':
      return value.trim() === '1' ? 'TRUE' : 'FALSE';
    case 'n': {
      const format = formats[Number(attribute(tag, STYLE) ?? 0)];
      return format == null ? cellText(value) : timeText(value, format, from1904);
    }
    default:
      return cellText(value);
  }
}

function comments(sheet: string, { files }: Workbook): string[] {
  const targets = [...new Set(relations(files, sheet).values())];
  // Threaded comments are also there as plain ones.
  const file = targets.find((target) => /\/comments[^/]*(?:\/[^/]+)?$/u.test(target));
  const found: string[] = [];
  let cell = '';
  let text = '';
  eachTag(file === undefined ? '' : (files.get(file) ?? ''), (prefixed, tag, words) => {
    const name = local(prefixed);
    if (name === 'comment') cell = attribute(tag, COMMENTED) ?? '';
    else if (name === 't') text += words;
    else if (name === '/comment') {
      if (text.trim() !== '') found.push(`Comment at ${cell}: ${cellText(text)}`);
      text = '';
    }
  });
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
