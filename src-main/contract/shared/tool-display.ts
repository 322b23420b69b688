import { z } from 'zod';

/** How a call of a built-in tool is displayed. Other tools have no value and are displayed by name. */
export const ToolDisplay = z.enum([
  'read',
  'list',
  'search',
  'match',
  'write',
  'edit',
  'delete',
  'command',
  'jobs',
  'job-output',
  'stop-job',
  'plan',
  'delegate',
  'compact',
  'ask',
  'fetch',
  'remote-start',
  'remote-check',
  'remote-update',
  'remote-cancel',
  'remote-list',
]);
export type ToolDisplay = z.infer<typeof ToolDisplay>;

/**
 * Absent for a tool that is not built in. An unknown value from an older or newer Deepdesk must not invalidate a
 * conversation.
 */
export const CallDisplay = ToolDisplay.optional().catch(undefined);
