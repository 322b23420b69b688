import type { ToolDescriptor } from '../descriptor';
import { FILE_PATH_ALIASES } from './file-path-aliases';

export const writeFile = {
  name: 'write_file',
  effect: 'writes',
  display: 'write',
  path: { argument: 'file_path', operation: 'write', below: false },
  arguments: { aliases: { ...FILE_PATH_ALIASES, text: 'content' }, required: ['file_path', 'content'] },
  fileText: ['content'],
  offloadsResult: false,
  resultIsOwn: true,
} as const satisfies ToolDescriptor;
