import { z } from 'zod';
import type { FileVersions } from '../backends/file-versions';
import type { BackendProtocol } from '../backends/protocol';
import { defineTool, failure, success } from './define-tool';
import { deleteFile } from './descriptors/delete';
import type { WriteOptionsOf } from './write-file';

const Input = z.object({ file_path: z.string().describe('Absolute path of a file or directory') });

export const deleteTool = (
  backend: BackendProtocol,
  description: string,
  optionsOf: WriteOptionsOf,
  versions: FileVersions,
) =>
  defineTool({
    name: deleteFile.name,
    description,
    schema: Input,
    run: async ({ file_path }, { callId, signal }) => {
      if (!backend.delete) return failure(`deletion is not available for '${file_path}'.`);
      const result = await backend.delete(file_path, { ...optionsOf(callId, file_path), signal });
      if (result.error !== undefined) return failure(result.error);
      versions.forget(file_path);
      return success(`Deleted ${file_path}`);
    },
  });
