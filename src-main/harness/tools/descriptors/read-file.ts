import type { ToolDescriptor } from '../descriptor';
import { FILE_PATH_ALIASES } from './file-path-aliases';

/** Lines of a page. */
export const MAX_LINES = 10_000;

export const readFile = {
  name: 'read_file',
  effect: 'reads',
  display: 'read',
  path: { argument: 'file_path', operation: 'read', below: false },
  arguments: {
    required: ['file_path'],
    aliases: FILE_PATH_ALIASES,
    numbers: ['offset', 'limit', 'column'],
    ranges: { offset: [0, Number.MAX_SAFE_INTEGER], limit: [1, MAX_LINES] },
  },
  offloadsResult: false,
  resultLines: 'page',
} as const satisfies ToolDescriptor;
