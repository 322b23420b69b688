import { z } from 'zod';
import type { BackendProtocol } from '../../backends/protocol';
import { shownName } from '../../contract/shown-name';
import { fitLines } from '../limits';
import { defineTool, failure, success } from './define-tool';

/** Milliseconds; what was found by then is shown with a note. */
const DEADLINE = 10_000;

export const globTool = (backend: BackendProtocol, description: string) =>
  defineTool({
    name: 'glob',
    description,
    schema: z.object({
      pattern: z.string().describe('Glob such as **/*.ts'),
      path: z.string().default('/').describe('Absolute path of the directory to search'),
    }),
    run: async ({ pattern, path }, { signal }) => {
      const result = await backend.glob(pattern, path, { signal, timeoutMs: DEADLINE });
      if (result.error !== undefined) return failure(result.error);
      const files = result.files ?? [];
      if (files.length === 0) return success(`No files found matching pattern '${pattern}'`);
      const note = result.truncated ? '[More files match. Narrow the pattern or the path.]' : undefined;
      return success(
        fitLines(
          files.map((file) => shownName(file.path)),
          note,
        ),
      );
    },
  });
