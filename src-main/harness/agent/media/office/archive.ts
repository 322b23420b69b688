// The Node entry declares its own `require`. A worker's bundle declares one too, and would not start.
import { unzipSync } from 'fflate/browser';
import { UnreadableDocument } from '../document-job';
import { withUsualPrefixes } from './prefixes';
import { attribute, eachTag, local, named } from './xml';

/** Bytes of all unpacked text in a document. An archive may claim to hold any amount. */
const MAX_UNPACKED = 64 * 1024 * 1024;
/** Entries of the archive, of any type. */
const MAX_ENTRIES = 20_000;
/** UTF-16 units of all extracted text. One part may appear in many places. */
const MAX_TEXT = 64 * 1024 * 1024;
const TOO_MUCH = 'it holds more text than can be read';

/** The XML of a document, by its path in the archive. */
export type Files = ReadonlyMap<string, string>;

/** Counts the extracted text, and stops reading when there is too much. */
export class TextLimit {
  private length = 0;

  add(length: number): void {
    this.length += length;
    if (this.length > MAX_TEXT) throw new UnreadableDocument(TOO_MUCH);
  }
}

const WANTED = [
  /^(?:mimetype|content\.xml|styles\.xml|META-INF\/manifest\.xml)$/u,
  /^word\/(?:document|styles|footnotes|endnotes|comments|header|footer)\d*\.xml$/u,
  /^ppt\/(?:presentation\.xml|_rels\/presentation\.xml\.rels|slides\/_rels\/[^/]+\.rels)$/u,
  /^ppt\/(?:slides|notesSlides|diagrams|comments)\/[^/]+\.xml$/u,
  /^xl\/(?:workbook|sharedStrings|styles)\.xml$|^xl\/(?:_rels\/workbook|worksheets\/_rels\/[^/]+)\.xml\.rels$/u,
  /^xl\/(?:worksheets\/[^/]+|comments\d*|(?:comments|threadedComments)\/[^/]+)\.xml$/u,
];

export function unpack(bytes: Uint8Array): Files {
  let unpacked = 0;
  let count = 0;
  let entries: Record<string, Uint8Array>;
  try {
    entries = unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        count += 1;
        if (count > MAX_ENTRIES) throw new UnreadableDocument('it is an archive of too many files');
        if (!WANTED.some((pattern) => pattern.test(name))) return false;
        unpacked += originalSize;
        if (unpacked > MAX_UNPACKED) throw new UnreadableDocument(TOO_MUCH);
        return true;
      },
    });
  } catch (error) {
    if (error instanceof UnreadableDocument) throw error;
    throw new UnreadableDocument('it is damaged and cannot be opened');
  }
  return new Map(Object.entries(entries).map(([name, content]) => [name, textOf(content)]));
}

/** XML is UTF-8 or UTF-16 with a mark. */
function textOf(content: Uint8Array): string {
  const [first, second] = content;
  const isWide = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  const text = new TextDecoder(isWide ? (first === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8').decode(content);
  return withUsualPrefixes(text);
}

const ID = named('Id');
const TARGET = named('Target');

/** The parts that a part refers to, by id, as paths in the archive. */
export function relations(files: Files, part: string): Map<string, string> {
  const cut = part.lastIndexOf('/') + 1;
  const folder = part.slice(0, cut);
  const found = new Map<string, string>();
  eachTag(files.get(`${folder}_rels/${part.slice(cut)}.rels`) ?? '', (name, tag) => {
    if (local(name) !== 'Relationship') return;
    const id = attribute(tag, ID);
    const target = attribute(tag, TARGET);
    if (id !== undefined && target !== undefined) found.set(id, resolved(folder, target));
  });
  return found;
}

function resolved(folder: string, target: string): string {
  const path: string[] = [];
  for (const step of (target.startsWith('/') ? target : `${folder}${target}`).split('/'))
    if (step === '..') path.pop();
    else if (step !== '' && step !== '.') path.push(step);
  return path.join('/');
}
