// Its Node entry declares a `require` of its own, which the bundle of a worker declares as well: the worker would not start.
import { strFromU8, unzipSync } from 'fflate/browser';
import { type DocumentJob, type DocumentText, UnreadableDocument } from './document-job';

/** Bytes of all text in a document, unpacked; an archive may claim to hold any amount. */
const MAX_UNPACKED = 64 * 1024 * 1024;

/** The words of a PowerPoint, Word or Excel file, which are archives of XML. Runs in the document worker. */
export function officeText(job: DocumentJob): DocumentText {
  const files = unpack(job.bytes);
  const whole = files.has('ppt/presentation.xml')
    ? { format: 'PowerPoint presentation', unit: 'slide' as const, parts: slides(files) }
    : files.has('word/document.xml')
      ? {
          format: 'Word document',
          unit: 'paragraph' as const,
          parts: paragraphs(files.get('word/document.xml') ?? '', 'w'),
        }
      : files.has('xl/workbook.xml')
        ? { format: 'Excel workbook', unit: 'row' as const, parts: sheets(files) }
        : null;
  if (whole === null) throw new UnreadableDocument('it is an archive, and none of a kind that can be read');
  const { parts, ...kind } = whole;
  return { ...kind, total: parts.length, parts: parts.slice(job.offset, job.offset + job.limit) };
}

type Files = ReadonlyMap<string, string>;

const WANTED =
  /^(?:ppt\/(?:presentation\.xml|_rels\/presentation\.xml\.rels|slides\/[^/]+\.xml|slides\/_rels\/[^/]+\.rels|notesSlides\/[^/]+\.xml)|word\/document\.xml|xl\/(?:workbook\.xml|_rels\/workbook\.xml\.rels|sharedStrings\.xml|worksheets\/[^/]+\.xml))$/u;

function unpack(bytes: Uint8Array): Files {
  let unpacked = 0;
  let entries: Record<string, Uint8Array>;
  try {
    entries = unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        if (!WANTED.test(name)) return false;
        unpacked += originalSize;
        if (unpacked > MAX_UNPACKED) throw new UnreadableDocument('it holds more text than can be read');
        return true;
      },
    });
  } catch (error) {
    if (error instanceof UnreadableDocument) throw error;
    throw new UnreadableDocument('it is damaged and cannot be opened');
  }
  return new Map(Object.entries(entries).map(([name, content]) => [name, strFromU8(content)]));
}

/** In the order of the presentation; notes of the speaker below their slide. */
function slides(files: Files): string[] {
  const targets = relations(files.get('ppt/_rels/presentation.xml.rels'));
  const order = [...(files.get('ppt/presentation.xml') ?? '').matchAll(/<p:sldId\s[^>]*?r:id="([^"]+)"/gu)];
  return order.map(([, id = '']) => {
    const name = `ppt/${targets.get(id) ?? ''}`;
    const text = paragraphs(files.get(name) ?? '', 'a').join('\n');
    const notes = [...relations(files.get(name.replace(/([^/]+)$/u, '_rels/$1.rels'))).values()]
      .filter((target) => target.includes('notesSlide'))
      .map((target) => paragraphs(files.get(`ppt/${target.replace('../', '')}`) ?? '', 'a').join('\n'))
      .filter((note) => note.trim() !== '');
    return [text, ...notes.map((note) => `Notes: ${note}`)].join('\n').trim();
  });
}

function relations(xml = ''): Map<string, string> {
  const found = new Map<string, string>();
  for (const [tag] of xml.matchAll(/<Relationship\s[^>]*>/gu)) {
    const id = attribute(tag, 'Id');
    const target = attribute(tag, 'Target');
    if (id !== undefined && target !== undefined) found.set(id, target.replace(/^\/(?:ppt|xl)\//u, ''));
  }
  return found;
}

const attribute = (tag: string, name: string): string | undefined => {
  const value = new RegExp(`\\s${name}="([^"]*)"`, 'u').exec(tag)?.[1];
  return value === undefined ? undefined : decoded(value);
};

/** The texts of `<a:p>` or `<w:p>`, without those that are empty. */
function paragraphs(xml: string, prefix: 'a' | 'w'): string[] {
  return xml
    .split(`</${prefix}:p>`)
    .map((part) => runs(part, prefix))
    .filter((text) => text.trim() !== '');
}

function runs(xml: string, prefix: 'a' | 'w'): string {
  let text = '';
  const pieces = new RegExp(`<${prefix}:t(?:\\s[^>]*)?>([^<]*)<|<${prefix}:(tab|br)\\b`, 'gu');
  for (const [, words, mark] of xml.matchAll(pieces)) {
    text += mark === undefined ? decoded(words ?? '') : mark === 'tab' ? '\t' : '\n';
  }
  return text;
}

/** The rows of all sheets, each sheet under its name; cells between tabs. Formulas stand as what they came to. */
function sheets(files: Files): string[] {
  const targets = relations(files.get('xl/_rels/workbook.xml.rels'));
  const shared = (files.get('xl/sharedStrings.xml') ?? '')
    .split('</si>')
    .map((part) =>
      [...part.matchAll(/<t(?:\s[^>]*)?>([^<]*)</gu)].map(([, text = '']) => decoded(text)).join(''),
    );
  return [...(files.get('xl/workbook.xml') ?? '').matchAll(/<sheet\s[^>]*>/gu)].flatMap(([tag]) => {
    const xml = files.get(`xl/${targets.get(attribute(tag, 'r:id') ?? '') ?? ''}`) ?? '';
    return [`Sheet ${attribute(tag, 'name') ?? ''}`, ...rows(xml, shared)];
  });
}

function rows(xml: string, shared: readonly string[]): string[] {
  return xml
    .split('</row>')
    .map((row) => {
      const cells: string[] = [];
      for (const [, tag = '', body = ''] of row.matchAll(/<c(\s[^>]*?)(?:\/>|>(.*?)<\/c>)/gsu)) {
        const at = columnOf(attribute(tag, 'r'));
        // Cells that are empty are left out of the file.
        while (at !== null && cells.length < at) cells.push('');
        cells.push(cellText(body, attribute(tag, 't'), shared));
      }
      return cells.join('\t');
    })
    .filter((row) => row !== '');
}

function cellText(body: string, type: string | undefined, shared: readonly string[]): string {
  const value = /<(?:v|t)(?:\s[^>]*)?>([^<]*)</u.exec(body)?.[1] ?? '';
  return type === 's' ? (shared[Number(value)] ?? '') : decoded(value);
}

/** 0-based column of `C7`; null past the 16,384 that there are. */
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
