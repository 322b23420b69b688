import { z } from 'zod';
import { command } from '../command';
import { ProjectId, ThreadId } from '../ids';

const Place = z.union([z.strictObject({ threadId: ThreadId }), z.strictObject({ projectId: ProjectId })]);

/** Commands that can follow a `/` at the start of a message. */
export const ComposerCommand = z.discriminatedUnion('kind', [
  /** A built-in action that runs instead of sending a message. */
  z.object({ kind: z.literal('action'), name: z.enum(['compact']) }),
  /** Sent as the message `/name purpose`: the agent reads the skill first. */
  z.object({
    kind: z.literal('skill'),
    name: z.string(),
    description: z.string(),
    source: z.enum(['app', 'person', 'project']),
  }),
  /** Sent as the message `/name task`: the agent delegates the task to that sub-agent. */
  z.object({
    kind: z.literal('agent'),
    name: z.string(),
    description: z.string(),
    source: z.enum(['app', 'person', 'project']),
  }),
  /** A prompt of an MCP server: `composer.prompt` returns its text, which the person sees before it is sent. */
  z.object({
    kind: z.literal('prompt'),
    /** `server:prompt`. */
    name: z.string(),
    description: z.string(),
    /** As in `mcp.list`. */
    serverId: z.string(),
    prompt: z.string(),
    arguments: z.array(z.object({ name: z.string(), description: z.string(), required: z.boolean() })),
  }),
]);
export type ComposerCommand = z.infer<typeof ComposerCommand>;

/** A resource of an MCP server: `attachments.resource` attaches its content. */
export const OfferedResource = z.object({
  /** As in `mcp.list`. */
  serverId: z.string(),
  server: z.string(),
  uri: z.string(),
  name: z.string(),
  description: z.string(),
});
export type OfferedResource = z.infer<typeof OfferedResource>;

/** Suggestions while the person types. */
export const composerCommands = {
  /** The person starts typing in a thread: anything that does not depend on the text is prepared now. */
  'composer.started': command(z.strictObject({ threadId: ThreadId }), z.object({})),
  /**
   * The `/` commands in a thread, or in a new one of a project. Names are unique; an agent wins over a skill with the same
   * name.
   */
  'composer.commands': command(
    Place,
    z.object({
      commands: z.array(ComposerCommand),
      /** Names of servers that are still starting, so their prompts are missing; `mcp.changed` tells when to ask again. */
      coming: z.array(z.string()),
    }),
  ),
  /** Resources of MCP servers, which can be attached. */
  'composer.resources': command(
    z.strictObject({ projectId: ProjectId }),
    z.object({ resources: z.array(OfferedResource) }),
  ),
  /** The text of an MCP server's prompt. Errors: `not_found` and the server's errors. */
  'composer.prompt': command(
    z.strictObject({
      projectId: ProjectId,
      serverId: z.string().max(400),
      prompt: z.string().max(400),
      arguments: z.record(z.string().max(200), z.string().max(100_000)),
    }),
    z.object({ text: z.string() }),
  ),
} as const;
