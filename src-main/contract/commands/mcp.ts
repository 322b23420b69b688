import { z } from 'zod';
import { command, done } from '../command';
import { ProjectId } from '../ids';
import { McpDraft, McpServers } from '../mcp';

const McpServerRef = { projectId: ProjectId.nullable(), id: z.string().max(400) };

/** MCP servers. */
export const mcpCommands = {
  /** MCP servers of the person and, where one is named, of a project. Starts what may run, and does not wait for it. */
  'mcp.list': command(z.strictObject({ projectId: ProjectId.nullable() }), McpServers),
  /** May a server that comes with a folder run, exactly as `digest` says it is configured? */
  'mcp.consent': command(
    z.strictObject({ ...McpServerRef, digest: z.string().max(200), allowed: z.boolean() }),
    done,
  ),
  'mcp.setEnabled': command(z.strictObject({ ...McpServerRef, enabled: z.boolean() }), done),
  'mcp.restart': command(z.strictObject(McpServerRef), done),
  /** Opens the system's browser where the person signs in, after they confirmed the address; the state tells the rest. */
  'mcp.signIn': command(z.strictObject(McpServerRef), done),
  'mcp.cancelSignIn': command(z.strictObject(McpServerRef), done),
  'mcp.signOut': command(z.strictObject(McpServerRef), done),
  /** Adds or changes a server of the person's own. Secrets go in and never come out. */
  'mcp.save': command(z.strictObject({ draft: McpDraft }), done),
  /** Moves what looks like a secret from the person's `mcp.json` to the keychain. `unsupported` without one. */
  'mcp.keepSecrets': command(z.strictObject({ name: z.string().min(1).max(64) }), done),
  /** Removes a server of the person's own. */
  'mcp.remove': command(z.strictObject({ name: z.string().min(1).max(64) }), done),
} as const;
