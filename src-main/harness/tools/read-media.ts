import { type Media, type Modalities, modalityFor, sizeInWords, whyNot } from '../../contract/shared/media';
import { shownName } from '../../contract/shared/shown-name';
import { CHARS_PER_TOKEN } from '../agent/limits';
import type { DocumentText } from '../agent/media/document-job';
import { readDocument } from '../agent/media/documents';
import { durationOf } from '../agent/media/duration';
import { imageFacts } from '../agent/media/image';
import { isEncrypted } from '../agent/media/office/compound-file';
import { posterOf } from '../agent/media/poster';
import { type Sniffed, sniff } from '../agent/media/sniff';
import type { DrawFrame } from '../agent/media/video';
import type { ReadResult } from '../backends/protocol';
import { failure, success, type ToolOutcome } from './define-tool';

/** Bytes of a file that a model gets unconverted. */
const MAX_BYTES = 10 * 1024 * 1024;
/** Pixels per side. Services refuse larger images. */
const MAX_SIDE = 8_000;
/** Pages of a PDF that a model gets unconverted. Longer ones are read by page. */
const MAX_PAGES = 100;

export interface MediaRequest {
  path: string;
  result: ReadResult & { content: Uint8Array };
  /** Pages, slides, rows or paragraphs to skip when a document is read as text. */
  offset: number;
  limit: number;
  /** UTF-16 units of the first part to skip. */
  column: number;
  /** Tokens of the text in the answer; null: no limit. */
  tokenLimit: number | null;
  modalities: Modalities;
  signal: AbortSignal;
  /** Draws a video frame if ffmpeg is missing. */
  drawFrame?: DrawFrame;
}

/**
 * What `read_file` answers for a file that is not text: the file itself if the model supports its type, else what the model
 * can use of it. A damaged file gets a sentence too, never a request that fails later.
 */
export async function readMedia(request: MediaRequest): Promise<ToolOutcome> {
  const { path, result } = request;
  const bytes = result.content;
  if (bytes.byteLength > MAX_BYTES) {
    const size = (bytes.byteLength / 1024 / 1024).toFixed(1);
    return failure(`file too large to read (${size}MB exceeds 10MB limit for binary files)`);
  }
  const named = result.mimeType ?? '';
  const found = sniff(bytes);
  if (found === null) return unknown(path, named, bytes.byteLength);
  switch (found.kind) {
    case 'image':
      return readImage(request, found);
    case 'audio':
    case 'video':
      // A container may hold audio or video: then the file name decides.
      return readRecording(request, typedBy(found, named));
    case 'file':
      return readParts(request, found);
    default:
      return found.kind satisfies never;
  }
}

const MEDIA_TYPE = /^(image|audio|video)\/|^application\/(?:pdf|vnd\.)/u;

function unknown(path: string, named: string, size: number): ToolOutcome {
  const name = shownName(path);
  if (!MEDIA_TYPE.test(named)) {
    return failure(
      `'${name}' is a binary file (${named || 'unknown type'}, ${size} bytes) and cannot be read as text.`,
    );
  }
  return failure(
    size === 0
      ? `'${name}' is empty.`
      : `'${name}' is named as ${named} but is not: it is damaged, or of another type (${sizeInWords(size)}).`,
  );
}

function readImage({ path, result, modalities }: MediaRequest, { kind, mimeType }: Sniffed): ToolOutcome {
  const bytes = result.content;
  const facts = imageFacts(bytes, mimeType);
  const size = sizeInWords(bytes.byteLength);
  const format = mimeType.slice('image/'.length).toUpperCase();
  if ('broken' in facts)
    return failure(`the image '${shownName(path)}' (${format}, ${size}) cannot be shown: ${facts.broken}.`);
  const { width, height } = facts;
  const what = `Image ${baseName(path)}: ${format}, ${width} x ${height} pixels, ${size}`;
  if (Math.max(width, height) > MAX_SIDE)
    return success(`[${what}. It is too large to show: at most ${MAX_SIDE} pixels per side.]`);
  return given(what, { kind, mimeType, bytes, path }, modalities);
}

async function readRecording(request: MediaRequest, { kind, mimeType }: Sniffed): Promise<ToolOutcome> {
  const { path, result, modalities, signal, drawFrame } = request;
  const bytes = result.content;
  const seconds = durationOf(bytes, mimeType);
  const length = seconds === null ? '' : `, ${timeInWords(seconds)}`;
  const noun = kind === 'audio' ? 'Audio' : 'Video';
  const what = `${noun} ${baseName(path)}: ${mimeType}${length}, ${sizeInWords(bytes.byteLength)}`;
  const why = kind === 'video' ? whyNot({ kind, mimeType }, modalities) : null;
  if (why === null || modalities.images === false)
    return given(what, { kind, mimeType, bytes, path }, modalities);
  const poster = await posterOf({ bytes, mimeType, seconds }, signal, drawFrame);
  if (poster === null) return given(what, { kind, mimeType, bytes, path }, modalities);
  return {
    ok: true,
    text: `[${what}. It cannot be shown to you: ${why}. Here is one frame instead, from ${timeInWords(poster.at)}.]`,
    media: [
      {
        type: 'image',
        mimeType: 'image/png',
        data: Buffer.from(poster.png).toString('base64'),
        metadata: { filename: `${baseName(path)}.png` },
      },
    ],
  };
}

async function readParts(request: MediaRequest, { kind, mimeType }: Sniffed): Promise<ToolOutcome> {
  const { path, result, offset, limit, column, tokenLimit, modalities, signal } = request;
  const bytes = result.content;
  const { mimeType: named = '' } = result;
  const size = sizeInWords(bytes.byteLength);
  const name = baseName(path);
  if (mimeType === 'application/vnd.ms-powerpoint')
    return failure(isEncrypted(bytes) ? protectedOffice(path, size) : oldOffice(path, size));
  const isPdf = mimeType === 'application/pdf';
  const takesIt = isPdf && offset === 0 && column === 0 && whyNot({ kind, mimeType }, modalities) === null;
  const budget = tokenLimit === null ? Number.MAX_SAFE_INTEGER : tokenLimit * CHARS_PER_TOKEN;
  const job = { bytes, offset, limit, maxLength: column + budget };
  const counted = takesIt ? await readDocument({ ...job, limit: 0 }, { signal }) : null;
  const isUncounted = counted?.ok === false && counted.isUnavailable === true;
  if (isUncounted || (counted?.ok === true && counted.text.total <= MAX_PAGES)) {
    const pages = counted.ok ? `, ${plural(counted.text.total, 'page')}` : '';
    const what = `Document ${name}: PDF${pages}, ${size}`;
    return given(what, { kind, mimeType, bytes, path }, modalities);
  }
  const read = counted?.ok === false ? counted : await readDocument(job, { signal });
  // Without a reader, the model gets the file, as a PDF above.
  if (!read.ok && read.isUnavailable === true && named.startsWith('application/vnd.'))
    return given(`Document ${name}: ${size}`, { kind, mimeType: named, bytes, path }, modalities);
  if (!read.ok) {
    const isArchive = mimeType === 'application/zip';
    return failure(
      isArchive
        ? `'${shownName(path)}' is a binary file (${size}) and cannot be read as text: ${read.why}.`
        : `the document '${shownName(path)}' (${size}) cannot be read: ${read.why}.`,
    );
  }
  const { text } = read;
  if (offset > 0 && offset >= text.total)
    return failure(`Offset ${offset} exceeds the length of the document (${plural(text.total, text.unit)})`);
  const what = `[Document ${name}: ${text.format}, ${plural(text.total, text.unit)}, ${size}; its text${text.marks === undefined ? '' : ', each row after its number in the sheet'}:]`;
  if (column > 0 && column >= (text.parts[0]?.length ?? 0))
    return failure(`Column ${column} is past the end of ${text.unit} ${offset + 1}.`);
  return success(partsInRows(what, text, { offset, column, budget }));
}

const OLD_OFFICE: Readonly<Record<string, [what: string, successor: string]>> = {
  doc: ['a Word document', 'docx'],
  dot: ['a Word template', 'docx'],
  ppt: ['a PowerPoint presentation', 'pptx'],
  pps: ['a PowerPoint presentation', 'pptx'],
  xls: ['an Excel workbook', 'xlsx'],
};

const protectedOffice = (path: string, size: string): string =>
  `'${shownName(path)}' (${size}) is protected with a password and cannot be read. Ask for a copy without a password.`;

/** They share one container format, so only the name tells them apart. */
function oldOffice(path: string, size: string): string {
  const name = shownName(path);
  const known = OLD_OFFICE[path.slice(path.lastIndexOf('.') + 1).toLowerCase()];
  if (known === undefined)
    return `'${name}' (${size}) is a file of an old office program and cannot be read here. Save it in a newer format (.docx, .pptx, .xlsx) or as PDF, and read that.`;
  const [what, successor] = known;
  return `'${name}' (${size}) is ${what} in the format of before 2007, which cannot be read here. Have it saved as .${successor} or PDF and read that: in the office program with Save as, or where LibreOffice is installed with \`soffice --headless --convert-to ${successor} FILE\`.`;
}

/**
 * As many whole parts as fit, and how many are left. A single part that does not fit is cut and says where it continues.
 * `column` is the UTF-16 unit at which the first part starts.
 */
export function partsInRows(
  heading: string,
  text: DocumentText,
  { offset, column, budget }: { offset: number; column: number; budget: number },
): string {
  const { unit, total } = text;
  const isPlain = unit === 'paragraph' || unit === 'row';
  const shown: string[] = [];
  let used = heading.length;
  let nextColumn = 0;
  for (const [index, part] of text.parts.entries()) {
    const from = index === 0 ? column : 0;
    const number = offset + index + 1;
    const label = isPlain
      ? (text.marks?.[index] ?? '')
      : `${capital(unit)} ${number}${from > 0 ? ', continued' : ''}\n`;
    const row = `${label}${part === '' ? `(no text on this ${unit})` : part.slice(from)}`;
    if (used + row.length > budget && shown.length > 0) break;
    if (row.length > budget) {
      shown.push(row.slice(0, budget));
      nextColumn = from + budget - label.length;
      break;
    }
    shown.push(row);
    used += row.length + 2;
  }
  const next = offset + shown.length;
  const read = `[Read ${plural(shown.length, unit)} (${unit}s ${offset + 1}-${next} of ${total} total). ${plural(total - next, unit)} remaining${next < total ? ` from offset ${next}` : ''}.]`;
  const note =
    nextColumn > 0
      ? [`[${capital(unit)} ${next} continues: read it with offset=${offset} and column=${nextColumn}.]`]
      : offset === 0 && next >= total
        ? []
        : [read];
  return [heading, shown.join(isPlain ? '\n' : '\n\n'), ...note].join('\n\n');
}

/** The file itself with a line that describes it, or only that line. */
function given(
  what: string,
  file: { kind: Media['kind']; mimeType: string; bytes: Uint8Array; path: string },
  modalities: Modalities,
): ToolOutcome {
  const { kind, mimeType, bytes, path } = file;
  const why = modalityFor(file) === null ? null : whyNot(file, modalities);
  if (why !== null) return success(`[${what}. It cannot be shown to you: ${why}.]`);
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  return {
    ok: true,
    text: `[${what}]`,
    media: [{ type: kind, mimeType, data, metadata: { filename: baseName(path) } }],
  };
}

function typedBy(found: Sniffed, named: string): Sniffed {
  const [kind] = named.split('/');
  return found.kind === 'video' && kind === 'audio' ? { kind, mimeType: named } : found;
}

const baseName = (path: string): string => shownName(path.slice(path.lastIndexOf('/') + 1));
const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

function timeInWords(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 60) return `${seconds < 10 ? seconds.toFixed(1) : whole} s`;
  const minutes = Math.floor(whole / 60);
  return minutes < 60
    ? `${minutes} min ${whole % 60} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
