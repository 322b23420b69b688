import type { ToolDescriptor } from '../descriptor';
import { FILE_PATH_ALIASES } from './file-path-aliases';

export const deleteFile = {
  name: 'delete',
  effect: 'deletes',
  display: 'delete',
  path: { argument: 'file_path', operation: 'write', below: true },
  arguments: { aliases: FILE_PATH_ALIASES, required: ['file_path'] },
  offloadsResult: false,
  resultIsOwn: true,
} as const satisfies ToolDescriptor;
