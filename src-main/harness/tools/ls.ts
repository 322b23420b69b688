import { z } from 'zod';
import { shownName } from '../../contract/shared/shown-name';
import { fittingLines } from '../agent/limits';
import type { BackendProtocol } from '../backends/protocol';
import { defineTool, failure, success } from './define-tool';
import { ls } from './descriptors/ls';

/** Entries per page; use `offset` for more. */
const PAGE = 1_000;

const Input = z.object({
  path: z.string().default('/').describe('Absolute path of the directory'),
  offset: z
    .number()
    .int()
    .nonnegative()
    .default(0)
    .describe('Number of entries to skip, to continue a long list'),
});

export const lsTool = (backend: BackendProtocol, description: string) =>
  defineTool({
    name: ls.name,
    description,
    schema: Input,
    run: async ({ path, offset }, { signal }) => {
      const result = await backend.ls(path, { signal, offset, limit: PAGE });
      if (result.error !== undefined) return failure(result.error);
      const files = result.files ?? [];
      if (files.length === 0) return success(`No files found in ${path}`);
      const lines = files.map((file) =>
        file.is_dir
          ? `${shownName(file.path)} (directory)`
          : `${shownName(file.path)} (${file.size ?? '?'} bytes${changedAt(file.modified_at)})`,
      );
      const shown = fittingLines(lines);
      const next = shown.length < lines.length ? offset + shown.length : result.nextOffset;
      const more =
        next !== undefined
          ? [`[Listed ${shown.length} of ${result.total ?? 'more'} entries. Continue with offset=${next}.]`]
          : result.truncated
            ? ['[There are more entries, which could not be listed. Find them with glob.]']
            : [];
      return success([...shown, ...more].join('\n'));
    },
  });

/** To the minute, in UTC; empty if unknown. */
function changedAt(iso: string | undefined): string {
  const at = Date.parse(iso ?? '');
  return Number.isNaN(at) ? '' : `, ${new Date(at).toISOString().slice(0, 16).replace('T', ' ')}`;
}
