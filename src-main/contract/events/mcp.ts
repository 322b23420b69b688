import { z } from 'zod';
import { ProjectId } from '../ids';

export const mcpEvents = [
  /** The state or the tools of an MCP server changed: of the person's (null) or of a project's. */
  z.object({ type: z.literal('mcp.changed'), projectId: ProjectId.nullable() }),
] as const;
