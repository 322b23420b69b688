import { z } from 'zod';

/** How a call of a built-in tool is shown. Tools from elsewhere have none, and are shown by their name. */
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
]);
export type ToolDisplay = z.infer<typeof ToolDisplay>;
