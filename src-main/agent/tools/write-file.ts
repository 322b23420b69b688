import { z } from 'zod';
import type { BackendProtocol, WriteOptions } from '../../backends/protocol';
import { defineTool, failure, success } from './define-tool';

/** What the harness knows of a call when it writes: its author, and the version that the person saw when approving. */
export type WriteOptionsOf = (callId: string, filePath: string) => WriteOptions;

export const writeFileTool = (backend: BackendProtocol, description: string, optionsOf: WriteOptionsOf) =>
  defineTool({
    name: 'write_file',
    description,
    schema: z.object({
      file_path: z.string().describe('Absolute path of the file'),
      content: z.string().describe('The whole new content'),
    }),
    run: async ({ file_path, content }, { callId, signal }) => {
      const result = await backend.write(file_path, content, { ...optionsOf(callId, file_path), signal });
      if (result.error !== undefined) return failure(result.error);
      return success(`Successfully wrote to '${file_path}'`);
    },
  });
