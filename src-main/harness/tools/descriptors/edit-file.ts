import type { ToolDescriptor } from '../descriptor';
import { FILE_PATH_ALIASES } from './file-path-aliases';

export const editFile = {
  name: 'edit_file',
  effect: 'writes',
  display: 'edit',
  path: { argument: 'file_path', operation: 'write', below: false },
  arguments: {
    aliases: {
      ...FILE_PATH_ALIASES,
      oldString: 'old_string',
      newString: 'new_string',
      replaceAll: 'replace_all',
      old_text: 'old_string',
      new_text: 'new_string',
    },
    required: ['file_path', 'old_string', 'new_string'],
    booleans: ['replace_all'],
  },
  fileText: ['old_string', 'new_string'],
  offloadsResult: false,
  resultIsOwn: true,
} as const satisfies ToolDescriptor;
