import { z } from 'zod';
import { optional } from '../../contract/shared/optional';
import { CHARS_PER_TOKEN, RESULT_TOKEN_LIMIT } from '../agent/limits';
import type { ModelModalities } from '../agent/media/modalities';
import type { DrawFrame } from '../agent/media/video';
import type { FileVersions } from '../backends/file-versions';
import type { BackendProtocol } from '../backends/protocol';
import { defineTool, failure, success } from './define-tool';
import { MAX_LINES, readFile } from './descriptors/read-file';
import { readMedia } from './read-media';

/** UTF-16 units. Longer lines are shown as N, N.1, N.2 … */
const LONG_LINE = 5_000;

const EMPTY_FILE = 'System reminder: File exists but has empty contents';

const Input = z.object({
  file_path: z.string().describe('Absolute path of the file'),
  offset: z
    .number()
    .int()
    .nonnegative()
    .default(0)
    .describe('Number of lines to skip. For documents: number of pages to skip'),
  limit: z
    .number()
    .int()
    .positive()
    .max(MAX_LINES)
    .default(100)
    .describe('Maximum number of lines to read. For documents: number of pages'),
  column: z
    .number()
    .int()
    .nonnegative()
    .default(0)
    .describe('Only to continue a very long line or page: the column from the previous result'),
});

export const readFileTool = (
  backend: BackendProtocol,
  description: string,
  versions: FileVersions,
  modalities: ModelModalities,
  /** Tokens that a page may have; null: no limit besides its lines. */
  tokenLimit: number | null = RESULT_TOKEN_LIMIT,
  drawFrame?: DrawFrame,
) =>
  defineTool({
    name: readFile.name,
    description,
    schema: Input,
    run: async ({ file_path, offset, limit, column }, { threadId, signal }) => {
      const result = await backend.read(file_path, offset, limit, { signal, column });
      if (result.error !== undefined) return failure(result.error);
      versions.saw(file_path, result.version);
      const { content } = result;
      if (content === undefined) return failure(`'${file_path}' could not be read.`);
      if (typeof content !== 'string') {
        return readMedia({
          path: file_path,
          result: { ...result, content },
          offset,
          limit,
          column,
          tokenLimit,
          modalities: modalities.of(threadId),
          signal,
          ...optional({ drawFrame }),
        });
      }
      if (content === '' && offset === 0 && (result.totalLines ?? 0) === 0) return success(EMPTY_FILE);
      const text = numberLines({
        content,
        offset,
        limit,
        totalLines: result.totalLines,
        nextOffset: result.nextOffset,
        column,
        nextColumn: result.nextColumn,
        tokenLimit,
      });
      return success(result.note === undefined ? text : `${result.note}\n${text}`);
    },
  });

/**
 * Numbers lines (1-based, width 6, then a tab), cuts them to the result limit without splitting a line, and adds a closing
 * note that says what was read and where to continue.
 */
export function numberLines(page: {
  content: string;
  offset: number;
  limit: number;
  totalLines: number | undefined;
  nextOffset: number | undefined;
  /** Bytes of the first line that were skipped. */
  column?: number;
  /** Where the last line continues if the page has only part of it. */
  nextColumn?: number | undefined;
  /** Tokens; null: no limit. */
  tokenLimit?: number | null;
}): string {
  const { tokenLimit = RESULT_TOKEN_LIMIT } = page;
  const budget = tokenLimit === null ? Number.POSITIVE_INFINITY : tokenLimit * CHARS_PER_TOKEN;
  const source = page.content.split('\n').slice(0, page.limit);
  const shown: string[] = [];
  let used = 0;
  let count = 0;
  for (const [index, line] of source.entries()) {
    const rows = numberLine(line, page.offset + index + 1, index === 0 ? (page.column ?? 0) : 0);
    const size = rows.reduce((sum, row) => sum + row.length + 1, 0);
    if (used + size > budget && count > 0) break;
    if (used + size > budget) {
      // A single line exceeds the limit: show as many whole rows of it as fit.
      const fitting = Math.floor(budget / ((rows[0]?.length ?? 0) + 1));
      shown.push(...rows.slice(0, fitting));
      shown.push(`[Line ${page.offset + 1} is too long to show in full: search it with grep.]`);
      count = 1;
      break;
    }
    shown.push(...rows);
    used += size;
    count++;
  }
  const next = count < source.length ? page.offset + count : page.nextOffset;
  const cut =
    count === source.length && page.nextColumn !== undefined
      ? `[Line ${page.offset + count} continues: read it with offset=${page.offset + count - 1} and column=${page.nextColumn}.]`
      : '';
  return [...shown, cut, closingNote(page.offset, count, page.totalLines, next)]
    .filter((row) => row !== '')
    .join('\n');
}

/** `column`: bytes of the line before the shown part. Row numbers continue from there. */
function numberLine(line: string, number: number, column: number): string[] {
  const row = (label: string, text: string) => `${label.padStart(6)}\t${text}`;
  const first = Math.ceil(column / LONG_LINE);
  if (line.length <= LONG_LINE && first === 0) return [row(String(number), line)];
  const rows: string[] = [];
  for (let at = 0; at < line.length || at === 0; at += LONG_LINE) {
    const part = first + at / LONG_LINE;
    const label = part === 0 ? String(number) : `${number}.${part}`;
    rows.push(row(label, line.slice(at, at + LONG_LINE)));
  }
  return rows;
}

/** Empty if the whole file was shown from its first line. */
function closingNote(
  offset: number,
  count: number,
  total: number | undefined,
  next: number | undefined,
): string {
  if (offset === 0 && next === undefined) return '';
  const range = count === 0 ? 'no lines' : `lines ${offset + 1}-${offset + count}`;
  const of = total === undefined ? '' : ` of ${total} total`;
  const rest =
    next === undefined
      ? ''
      : total === undefined
        ? ` More lines remain from offset ${next}.`
        : ` ${total - next} lines remaining from offset ${next}.`;
  return `\n[Read ${count} lines (${range}${of}).${rest}]`;
}
