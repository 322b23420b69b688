import { z } from 'zod';
import { ProjectId } from '../ids';

export const mcpEvents = [
  /** The state or tools of an MCP server changed: the person's (null) or a project's. */
  z.object({ type: z.literal('mcp.changed'), projectId: ProjectId.nullable() }),
] as const;
