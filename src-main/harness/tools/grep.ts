import { z } from 'zod';
import { shownName } from '../../contract/shared/shown-name';
import { fittingLines, MAX_GREP_COUNT } from '../agent/limits';
import type { BackendProtocol, GrepMatch } from '../backends/protocol';
import { defineTool, failure, success } from './define-tool';
import { grep } from './descriptors/grep';
import { readFile } from './descriptors/read-file';
import { type ShownLine, withContext } from './match-context';

/** Milliseconds. After that, the result has a note and only the matches found so far. */
const DEADLINE = 30_000;

/** Lines before and after a match. */
const MAX_CONTEXT = 20;

/** Characters shown of a matching line. A minified bundle would fill the context. */
const MAX_LINE_LENGTH = 500;

const Input = z.object({
  pattern: z.string().describe('Literal text to find, unless regex is true'),
  path: z.string().default('/').describe('Absolute path of a directory or file to search'),
  glob: z
    .string()
    .nullable()
    .default(null)
    .describe('Search only files that match this glob pattern, such as *.ts'),
  max_count: z.number().int().positive().nullable().default(null).describe('Stop after this many matches'),
  output_mode: z
    .enum(['files_with_matches', 'content', 'count'])
    .default('files_with_matches')
    .describe(
      'files_with_matches: file names only; content: matching lines; count: number of matches per file',
    ),
  context: z
    .number()
    .int()
    .nonnegative()
    .max(MAX_CONTEXT)
    .default(0)
    .describe('Number of lines to show before and after each match. Only with output_mode content'),
  regex: z.boolean().default(false).describe('Whether pattern is a regular expression'),
});

export const grepTool = (
  backend: BackendProtocol,
  description: string,
  maxCount: number | null = MAX_GREP_COUNT,
) =>
  defineTool({
    name: grep.name,
    description,
    schema: Input,
    run: async ({ pattern, path, glob, max_count, output_mode, context, regex }, { signal }) => {
      // The model may ask for fewer or more, but never for more than the maximum.
      const cap =
        maxCount === null ? max_count : Math.min(max_count ?? maxCount, Math.max(maxCount, MAX_GREP_COUNT));
      const result = await backend.grep(pattern, path, glob, cap, { signal, timeoutMs: DEADLINE, regex });
      if (result.error !== undefined) return failure(result.error);
      const matches = result.matches ?? [];
      const { omitted = 0 } = result;
      const left =
        omitted === 0
          ? ''
          : `[${omitted} more in files that need the person's permission: read them with ${readFile.name}.]`;
      const isFull = cap !== null && matches.length >= cap;
      const more = !result.truncated
        ? ''
        : isFull
          ? `[Stopped at ${matches.length} matches; there are more. Narrow the search.]`
          : `[The search ended early: not every file was searched. Found so far: ${matches.length}. Narrow the path or the glob.]`;
      const note = [more, left].filter(Boolean).join('\n') || undefined;
      if (matches.length === 0) return success(note ?? nothingFound(pattern, regex));
      if (output_mode !== 'content' || context === 0)
        return fitted(formatMatches(matches, output_mode), note);
      const around = await withContext(backend, matches, context, { signal, timeoutMs: DEADLINE });
      const notes = new Map(matches.map((match) => [match.path, match.note]));
      return fitted(formatContext(around, notes), note);
    },
  });

const RESULT_CUT_NOTE = '... [results truncated, try being more specific with your parameters]';

function fitted(lines: string[], note: string | undefined) {
  const shown = fittingLines(lines);
  const cut = shown.length < lines.length ? [RESULT_CUT_NOTE] : [];
  return success([...shown, ...cut, ...(note === undefined ? [] : [note])].join('\n'));
}

function nothingFound(pattern: string, regex: boolean): string {
  const looksLikeRegex = !regex && /\.\*|\\[wdsb]|\[[^\]]+\]|\||\^|\$$/.test(pattern);
  const hint = looksLikeRegex
    ? '. The pattern was taken literally; set regex to true for a regular expression'
    : '';
  // A word that occurs only in `.env` does exist: the model must not conclude that it is gone.
  return `No matches found for pattern '${pattern}'${hint}. Hidden and ignored files are searched only if you name them`;
}

export function formatMatches(
  matches: GrepMatch[],
  mode: 'files_with_matches' | 'content' | 'count',
): string[] {
  const byFile = new Map<string, GrepMatch[]>();
  for (const match of matches) {
    const group = byFile.get(match.path);
    if (group) group.push(match);
    else byFile.set(match.path, [match]);
  }
  const files = [...byFile.entries()].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  switch (mode) {
    case 'files_with_matches':
      return files.map(([path]) => shownName(path));
    case 'count':
      return files.map(([path, group]) => `${shownName(path)}: ${group.length}`);
    case 'content':
      return files.flatMap(([path, group]) => [
        `${shownName(path)}:`,
        ...noteLine(group[0]?.note),
        ...group.map(({ line, text }) => `  ${line}: ${cut(text)}`),
      ]);
    default:
      return mode satisfies never;
  }
}

/** Lines of files start with their number, so no file can imitate this note. */
const noteLine = (note: string | undefined): string[] => (note === undefined ? [] : [`  ${note}`]);

const cut = (text: string): string =>
  text.length > MAX_LINE_LENGTH ? `${text.slice(0, MAX_LINE_LENGTH)}…` : text;

/** Matches get a colon, context lines a dash, and `--` marks a gap. */
function formatContext(
  files: ReadonlyMap<string, readonly ShownLine[][]>,
  notes: ReadonlyMap<string, string | undefined>,
): string[] {
  const sorted = [...files.entries()].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return sorted.flatMap(([path, groups]) => [
    `${shownName(path)}:`,
    ...noteLine(notes.get(path)),
    ...groups.flatMap((group, index) => [
      ...(index === 0 ? [] : ['  --']),
      ...group.map(({ line, text, isMatch }) => `  ${line}${isMatch ? ':' : '-'} ${cut(text)}`),
    ]),
  ]);
}
