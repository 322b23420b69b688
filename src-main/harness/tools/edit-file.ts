import { z } from 'zod';
import type { FileVersions } from '../backends/file-versions';
import type { BackendProtocol } from '../backends/protocol';
import { defineTool, failure, metadataOf, success } from './define-tool';
import { editFile } from './descriptors/edit-file';
import type { WriteOptionsOf } from './write-file';

const Input = z.object({
  file_path: z.string().describe('Absolute path of the file'),
  old_string: z
    .string()
    .describe('Exact text to replace. Must occur exactly once unless replace_all is true'),
  new_string: z.string().describe('Replacement text'),
  replace_all: z.boolean().default(false).describe('Replace every occurrence'),
});

export const editFileTool = (
  backend: BackendProtocol,
  description: string,
  optionsOf: WriteOptionsOf,
  versions: FileVersions,
) =>
  defineTool({
    name: editFile.name,
    description,
    schema: Input,
    run: async ({ file_path, old_string, new_string, replace_all }, { callId, signal }) => {
      const options = { ...optionsOf(callId, file_path), signal };
      const result = await versions.change('edit', file_path, options, (atVersion) =>
        backend.edit(file_path, old_string, new_string, replace_all, atVersion),
      );
      if (result.error !== undefined) return failure(result.error);
      const count = 'occurrences' in result ? (result.occurrences ?? 0) : 0;
      return {
        ...success(`Successfully replaced ${count} occurrence(s) in '${file_path}'`),
        ...metadataOf(result),
      };
    },
  });
