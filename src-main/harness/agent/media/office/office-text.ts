import { type DocumentJob, type DocumentText, UnreadableDocument } from '../document-job';
import { type Files, TextLimit, unpack } from './archive';
import { openText } from './open-text';
import { slides } from './presentation';
import { WORD_TEXT, wordText } from './word';
import { sheets } from './workbook';

/**
 * Extracts the text of a PowerPoint, Word, Excel or OpenDocument text file, which are archives of XML. Runs in the document
 * worker.
 */
export function officeText(job: DocumentJob): DocumentText {
  const whole = wholeText(unpack(job.bytes), new TextLimit());
  if (whole === null) throw new UnreadableDocument('it is an archive, and none of a kind that can be read');
  const { parts, marks, ...kind } = whole;
  const asked = (all: string[]) => all.slice(job.offset, job.offset + job.limit);
  return { ...kind, total: parts.length, parts: asked(parts), ...(marks && { marks: asked(marks) }) };
}

function wholeText(files: Files, limit: TextLimit): Omit<DocumentText, 'total'> | null {
  if (files.has('ppt/presentation.xml'))
    return { format: 'PowerPoint presentation', unit: 'slide', parts: slides(files, limit) };
  if ([...files.keys()].some((name) => WORD_TEXT.test(name)))
    return { format: 'Word document', unit: 'paragraph', parts: wordText(files, limit) };
  if (files.has('xl/workbook.xml')) return { format: 'Excel workbook', unit: 'row', ...sheets(files, limit) };
  if (!OPEN_TEXT.test(files.get('mimetype') ?? '') || !files.has('content.xml')) return null;
  if (files.get('META-INF/manifest.xml')?.includes(':encryption-data') === true)
    throw new UnreadableDocument('it is protected with a password');
  return { format: 'OpenDocument text', unit: 'paragraph', parts: openText(files, limit) };
}

const OPEN_TEXT = /^application\/vnd\.oasis\.opendocument\.text(?:-template)?\s*$/u;
