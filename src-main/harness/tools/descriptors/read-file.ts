import type { ToolDescriptor } from '../descriptor';
import { FILE_PATH_ALIASES } from './file-path-aliases';

export const readFile = {
  name: 'read_file',
  effect: 'reads',
  display: 'read',
  path: { argument: 'file_path', operation: 'read', below: false },
  arguments: { aliases: FILE_PATH_ALIASES, numbers: ['offset', 'limit', 'column'] },
  offloadsResult: false,
  resultLines: 'page',
} as const satisfies ToolDescriptor;
