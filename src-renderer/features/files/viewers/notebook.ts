import { checkBase64Picture } from '@contract/picture-size';

/** What is shown of an output; never its HTML or scripts. */
export type NotebookOutput =
  | { kind: 'text'; text: string; isError: boolean }
  | { kind: 'image'; mimeType: string; data: string }
  /** The output has only formats that are not shown. */
  | { kind: 'hidden'; types: string[] };

export type NotebookCell =
  | { kind: 'markdown'; text: string }
  | { kind: 'raw'; text: string }
  | { kind: 'code'; text: string; count: number | null; outputs: NotebookOutput[] };

export interface Notebook {
  /** There are more cells, outputs or text than shown. */
  cut: boolean;
  /** The language of its code, as a Markdown fence names it. */
  language: string;
  cells: NotebookCell[];
}

/** Image types that run no code. */
const PICTURES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];
/** Maximum length of a text output, in UTF-16 units. */
const MAX_TEXT = 200_000;
/** Maximum number of cells, and of outputs per cell. */
const MAX_CELLS = 1_000;
const MAX_OUTPUTS = 100;
/** Maximum number of outputs of all cells. */
const MAX_ALL_OUTPUTS = 3_000;
/** Maximum number of types listed per output, and their maximum length in UTF-16 units. */
const MAX_TYPES = 20;
const MAX_TYPE = 100;
/** Maximum size of all cells and outputs, in UTF-16 units, without images. */
const MAX_ALL = 4_000_000;

/** Parses a Jupyter notebook (nbformat 3 and 4); null if the text is not one. */
export function readNotebook(text: string): Notebook | null {
  const whole = parsed(text);
  const [sheet] = listOf(whole?.worksheets);
  const cells = listOf(whole?.cells ?? recordOf(sheet)?.cells)
    .map(recordOf)
    .filter((cell) => cell !== undefined);
  if (whole === null || (whole.cells === undefined && sheet === undefined)) return null;
  const metadata = recordOf(whole.metadata);
  const language =
    textOf(recordOf(metadata?.language_info)?.name) ||
    textOf(recordOf(metadata?.kernelspec)?.language) ||
    'python';
  const shown: NotebookCell[] = [];
  let length = 0;
  let outputs = 0;
  for (const cell of cells.slice(0, MAX_CELLS)) {
    const read = cellOf(cell);
    length += lengthOf(read);
    outputs += read.kind === 'code' ? read.outputs.length : 0;
    if (length > MAX_ALL || outputs > MAX_ALL_OUTPUTS) break;
    shown.push(read);
  }
  const hasMoreOutputs = cells.some((cell) => listOf(cell.outputs).length > MAX_OUTPUTS);
  return { language, cells: shown, cut: shown.length < cells.length || hasMoreOutputs };
}

const lengthOf = (cell: NotebookCell): number =>
  cell.text.length +
  (cell.kind === 'code'
    ? cell.outputs.reduce((sum, output) => sum + (output.kind === 'text' ? output.text.length : 0), 0)
    : 0);

function cellOf(cell: Record<string, unknown>): NotebookCell {
  const text = textOf(cell.source ?? cell.input);
  if (cell.cell_type === 'raw') return { kind: 'raw', text };
  if (cell.cell_type !== 'code') return { kind: 'markdown', text };
  const number = cell.execution_count ?? cell.prompt_number;
  const outputs = listOf(cell.outputs)
    .slice(0, MAX_OUTPUTS)
    .map(recordOf)
    .filter((output) => output !== undefined);
  return {
    kind: 'code',
    text,
    count: typeof number === 'number' ? number : null,
    outputs: outputs.map((output) => outputOf(output)),
  };
}

function outputOf(output: Record<string, unknown>): NotebookOutput {
  const plain = (text: string, isError: boolean): NotebookOutput => ({
    kind: 'text',
    text: withoutEscapes(text).slice(0, MAX_TEXT),
    isError,
  });
  if (output.output_type === 'stream') return plain(textOf(output.text), output.name === 'stderr');
  if (output.output_type === 'error' || output.output_type === 'pyerr') {
    const trace = listOf(output.traceback).map(textOf).join('\n');
    return plain(trace || `${textOf(output.ename)}: ${textOf(output.evalue)}`, true);
  }
  const data = recordOf(output.data) ?? {};
  for (const mimeType of PICTURES) {
    const picture = textOf(data[mimeType]).replace(/\s/gu, '');
    if (picture !== '' && /^[A-Za-z0-9+/=]+$/u.test(picture) && checkBase64Picture(picture) === 'fits')
      return { kind: 'image', mimeType, data: picture };
  }
  const text = textOf(data['text/plain'] ?? data['text/markdown'] ?? output.text);
  return text === '' ? { kind: 'hidden', types: typesOf(data) } : plain(text, false);
}

const typesOf = (data: object): string[] =>
  Object.keys(data)
    .slice(0, MAX_TYPES)
    .map((type) => type.slice(0, MAX_TYPE));

/** Strips terminal colors and cursor moves. */
const withoutEscapes = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences start with one
  text.replace(/\u001b\[[0-9;?]*[ -/]*[@-~]/gu, '');

function parsed(text: string): Record<string, unknown> | null {
  try {
    return recordOf(JSON.parse(text)) ?? null;
  } catch {
    return null;
  }
}

const recordOf = (value: unknown): Record<string, unknown> | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
/** Notebooks store text as one string or as a list of lines. */
const textOf = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : listOf(value)
        .filter((line) => typeof line === 'string')
        .join('');
