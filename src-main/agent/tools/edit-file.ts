import { z } from 'zod';
import type { BackendProtocol } from '../../backends/protocol';
import { defineTool, failure, success } from './define-tool';
import type { WriteOptionsOf } from './write-file';

export const editFileTool = (backend: BackendProtocol, description: string, optionsOf: WriteOptionsOf) =>
  defineTool({
    name: 'edit_file',
    description,
    schema: z.object({
      file_path: z.string().describe('Absolute path of the file'),
      old_string: z.string().describe('Exact text to replace, unique in the file unless replace_all'),
      new_string: z.string().describe('Text to put in its place'),
      replace_all: z.boolean().default(false).describe('Replace every occurrence'),
    }),
    run: async ({ file_path, old_string, new_string, replace_all }, { callId, signal }) => {
      const options = { ...optionsOf(callId, file_path), signal };
      const result = await backend.edit(file_path, old_string, new_string, replace_all, options);
      if (result.error !== undefined) return failure(result.error);
      return success(`Successfully replaced ${result.occurrences ?? 0} occurrence(s) in '${file_path}'`);
    },
  });
