import { z } from 'zod';
import { command } from '../command';
import { ProjectId, ThreadId } from '../ids';

const Place = z.union([z.strictObject({ threadId: ThreadId }), z.strictObject({ projectId: ProjectId })]);

/** What can stand after the `/` at the beginning of a message. */
export const ComposerCommand = z.discriminatedUnion('kind', [
  /** Something that Deepdesk does itself, with a command of its own in place of a message. */
  z.object({ kind: z.literal('action'), name: z.enum(['compact']) }),
  /** Sent as the message `/name what it is for`: the agent reads the skill first. */
  z.object({
    kind: z.literal('skill'),
    name: z.string(),
    description: z.string(),
    source: z.enum(['app', 'person', 'project']),
  }),
  /** Sent as the message `/name the task`: the agent has that sub-agent do it. */
  z.object({
    kind: z.literal('agent'),
    name: z.string(),
    description: z.string(),
    source: z.enum(['app', 'person', 'project']),
  }),
  /** A prompt of an MCP server: `composer.prompt` answers with its text, which the person sees before it is sent. */
  z.object({
    kind: z.literal('prompt'),
    /** `server:prompt`. */
    name: z.string(),
    description: z.string(),
    /** As `mcp.list` names it. */
    serverId: z.string(),
    prompt: z.string(),
    arguments: z.array(z.object({ name: z.string(), description: z.string(), required: z.boolean() })),
  }),
]);
export type ComposerCommand = z.infer<typeof ComposerCommand>;

/** What the person is offered while they write. */
export const composerCommands = {
  /** The person begins to write in a thread: what does not go by their words is prepared meanwhile. */
  'composer.started': command(z.strictObject({ threadId: ThreadId }), z.object({})),
  /** What `/` offers in a thread, or in a new one of a project. Names are unique; an agent goes before a skill of its name. */
  'composer.commands': command(
    Place,
    z.object({
      commands: z.array(ComposerCommand),
      /** Names of servers on their way, whose prompts are not among them yet; `mcp.changed` tells when to ask again. */
      coming: z.array(z.string()),
    }),
  ),
  /** The words of an MCP server's prompt. Errors: `not_found`, and what the server says. */
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
