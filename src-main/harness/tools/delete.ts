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
      const remove = backend.delete?.bind(backend);
      if (remove === undefined) return failure(`deletion is not available for '${file_path}'.`);
      const options = { ...optionsOf(callId, file_path), signal };
      const result = await versions.remove(file_path, options, (asItIs) => remove(file_path, asItIs));
      if (result.error !== undefined) return failure(result.error);
      return success(`Deleted ${file_path}`);
    },
  });
