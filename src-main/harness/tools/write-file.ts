import { z } from 'zod';
import type { FileVersions } from '../backends/file-versions';
import type { BackendProtocol, WriteOptions } from '../backends/protocol';
import { defineTool, failure, metadataOf, success } from './define-tool';
import { writeFile } from './descriptors/write-file';

/** What the harness knows about a call when it writes: its author, and the version that the person saw on approval. */
export type WriteOptionsOf = (callId: string, filePath: string) => WriteOptions;

const Input = z.object({
  file_path: z.string().describe('Absolute path of the file'),
  content: z.string().describe('Full content of the file'),
});

export const writeFileTool = (
  backend: BackendProtocol,
  description: string,
  optionsOf: WriteOptionsOf,
  versions: FileVersions,
) =>
  defineTool({
    name: writeFile.name,
    description,
    schema: Input,
    run: async ({ file_path, content }, { callId, signal }) => {
      const options = { ...optionsOf(callId, file_path), signal };
      const result = await versions.change('write', file_path, options, (atVersion) =>
        backend.write(file_path, content, atVersion),
      );
      if (result.error !== undefined) return failure(result.error);
      return { ...success(`Successfully wrote to '${file_path}'`), ...metadataOf(result) };
    },
  });
