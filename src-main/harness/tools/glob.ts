import { z } from 'zod';
import { shownName } from '../../contract/shared/shown-name';
import { fittingLines } from '../agent/limits';
import type { BackendProtocol } from '../backends/protocol';
import { defineTool, failure, success } from './define-tool';
import { glob } from './descriptors/glob';

/** Files per page; use `offset` for more. */
const PAGE = 1_000;

/** Milliseconds. After that, the result has a note and only the files found so far. */
const DEADLINE = 10_000;

/** Looks like an alternative in an extended pattern of a shell, such as `+(a|b)` or `!(a)`. */
const EXTENDED = /[?*+@!]\([^()]*\)/;
const LITERAL = '. Parentheses were taken literally; use {a,b} for alternatives';

const Input = z.object({
  pattern: z.string().describe('Glob pattern, such as **/*.ts'),
  path: z.string().default('/').describe('Absolute path of the directory to search'),
  offset: z
    .number()
    .int()
    .nonnegative()
    .default(0)
    .describe('Number of files to skip, to continue a long list'),
});

export const globTool = (backend: BackendProtocol, description: string) =>
  defineTool({
    name: glob.name,
    description,
    schema: Input,
    run: async ({ pattern, path, offset }, { signal }) => {
      // Both mean the same, but no name starts with `./`.
      const names = pattern.replace(/^(?:\.\/)+/, '');
      const result = await backend.glob(names, path, { signal, timeoutMs: DEADLINE });
      if (result.error !== undefined) return failure(result.error);
      const all = result.files ?? [];
      const files = all.slice(offset, offset + PAGE);
      if (all.length === 0)
        return success(
          `No files found matching pattern '${pattern}'${EXTENDED.test(pattern) ? LITERAL : ''}`,
        );
      if (files.length === 0) return failure(`offset ${offset} is past the end: ${all.length} files match.`);
      const shown = fittingLines(files.map((file) => shownName(file.path)));
      const next = offset + shown.length;
      const rest = [
        next < all.length
          ? `[Files ${offset + 1}-${next} of ${all.length}${result.truncated ? ' or more' : ''}. Continue with offset=${next}.]`
          : '',
        result.truncated ? '[More files match. Narrow the pattern or the path.]' : '',
      ];
      return success([...shown, ...rest.filter(Boolean)].join('\n'));
    },
  });
