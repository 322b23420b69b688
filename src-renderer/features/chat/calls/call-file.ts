import type { ToolCall } from '@contract/conversation';

/** The file that a finished call read or wrote, or that stores its whole result, so that it can be opened. */
export function fileOf({ display, args, status, savedAt }: ToolCall): string | undefined {
  if (savedAt !== undefined) return savedAt;
  if (status !== 'done' || (display !== 'read' && display !== 'write' && display !== 'edit'))
    return undefined;
  return typeof args.file_path === 'string' ? args.file_path : undefined;
}

/** The line at which a call started to read. */
export const lineOf = ({ display, args, savedAt }: ToolCall): number | undefined =>
  display === 'read' && savedAt === undefined && typeof args.offset === 'number' && args.offset > 0
    ? args.offset + 1
    : undefined;
