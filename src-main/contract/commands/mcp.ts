import { z } from 'zod';
import { command, done } from '../command';
import { ProjectId } from '../ids';
import { McpDraft, McpServers } from '../mcp';

const McpServerRef = { projectId: ProjectId.nullable(), id: z.string().max(400) };

export const mcpCommands = {
  /** The person's MCP servers and, if named, those of a project. Starts the permitted ones without waiting. */
  'mcp.list': command(z.strictObject({ projectId: ProjectId.nullable() }), McpServers),
  /** Whether a server that comes with a folder may run in the exact configuration of `digest`. */
  'mcp.consent': command(
    z.strictObject({ ...McpServerRef, digest: z.string().max(200), allowed: z.boolean() }),
    done,
  ),
  'mcp.setEnabled': command(z.strictObject({ ...McpServerRef, enabled: z.boolean() }), done),
  'mcp.restart': command(z.strictObject(McpServerRef), done),
  /** Opens the system's browser for sign-in after the person confirms the address; the server's state reports the rest. */
  'mcp.signIn': command(z.strictObject(McpServerRef), done),
  'mcp.cancelSignIn': command(z.strictObject(McpServerRef), done),
  'mcp.signOut': command(z.strictObject(McpServerRef), done),
  /** Adds or changes one of the person's servers. Secrets go in and never come out. */
  'mcp.save': command(z.strictObject({ draft: McpDraft }), done),
  /** Moves likely secrets from the person's `mcp.json` to the keychain. `unsupported` without one. */
  'mcp.keepSecrets': command(z.strictObject({ name: z.string().min(1).max(64) }), done),
  /** Removes one of the person's servers. */
  'mcp.remove': command(z.strictObject({ name: z.string().min(1).max(64) }), done),
} as const;
