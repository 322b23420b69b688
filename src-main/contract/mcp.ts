import { z } from 'zod';
import { AppError } from './result';

/** A tool that a server offers, as far as the person is shown it. */
export const McpTool = z.object({
  /** As the agent calls it: `server__tool`. */
  name: z.string(),
  /** As the server names it. */
  title: z.string(),
  description: z.string(),
  /** What the server says of its own tool. Shown, and trusted for nothing. */
  saysReadOnly: z.boolean(),
  saysDestructive: z.boolean(),
});
export type McpTool = z.infer<typeof McpTool>;

export const McpState = z.discriminatedUnion('phase', [
  /** Switched off by the person or by its configuration. */
  z.object({ phase: z.literal('off') }),
  /** It comes with the folder, and the person has not said yet that it may run as it is configured now. */
  z.object({ phase: z.literal('consent') }),
  /** Its configuration cannot be used. */
  z.object({ phase: z.literal('invalid'), message: z.string() }),
  /** Not started yet: it starts with the next turn. */
  z.object({ phase: z.literal('idle') }),
  z.object({ phase: z.literal('starting') }),
  z.object({ phase: z.literal('ready') }),
  /** The person must sign in to it first. `problem`: what went wrong when they last tried. */
  z.object({
    phase: z.literal('signIn'),
    problem: AppError.nullable(),
  }),
  /** The browser shows where they sign in. `at`: that host; null until it is known. */
  z.object({ phase: z.literal('signingIn'), at: z.string().nullable() }),
  /** `lines`: the last that it printed to its error output, oldest first, without secrets. */
  z.object({ phase: z.literal('failed'), message: z.string(), lines: z.array(z.string()) }),
]);
export type McpState = z.infer<typeof McpState>;

const Transport = z.enum(['stdio', 'http', 'sse']);

/**
 * How a server is reached, without secrets: values of the person's variables and headers never come to the window. What a
 * folder brings is shown as it is, since a consent must hide nothing that could be a command.
 */
export const McpSetup = z.object({
  transport: Transport,
  /** Program and arguments of `stdio`, as configured; of the person, what looks like a secret is masked. */
  command: z.string(),
  args: z.array(z.string()),
  /** As configured; empty for the default folder. */
  cwd: z.string(),
  /** Address of `http` and `sse`; what looks like a secret is masked. */
  url: z.string(),
  /** Names of its environment variables, or of its headers; of a project, as `NAME=value` where it is not called a secret. */
  secrets: z.array(z.string()),
  /** Names of variables of Deepdesk's own environment that it is given the values of. */
  variables: z.array(z.string()),
  /** Seconds for one call. */
  timeoutSeconds: z.number(),
  /** Values that look like secrets, stand readable in the person's own file, and could be in the keychain instead. */
  readable: z.number().int(),
});
export type McpSetup = z.infer<typeof McpSetup>;

export const McpServer = z.object({
  /** Unique among those that are listed together. */
  id: z.string(),
  name: z.string(),
  scope: z.enum(['person', 'project']),
  /** The file that it is configured in, as the system writes it. */
  source: z.string(),
  /** Null where its configuration cannot be read. */
  setup: McpSetup.nullable(),
  /** What a consent is to: the exact configuration. */
  digest: z.string(),
  state: McpState,
  /** The person's sign-in: at which host, and as whom where that is said. Null: there is none. */
  account: z.object({ at: z.string(), as: z.string().nullable() }).nullable(),
  tools: z.array(McpTool),
  /** Tools that are not offered to the agent, and why. */
  leftOut: z.array(z.object({ name: z.string(), why: z.string() })),
});
export type McpServer = z.infer<typeof McpServer>;

export const McpServers = z.object({
  servers: z.array(McpServer),
  /** Files that could not be read as a whole. */
  problems: z.array(z.object({ source: z.string(), message: z.string() })),
});
export type McpServers = z.infer<typeof McpServers>;

const line = (most: number) =>
  z
    .string()
    .max(most)
    .regex(/^[^\0\r\n]*$/);
const NAME = line(64).min(1);

/** A server of the person's own, as they type it. A masked part that was not touched, and a secret that is null, stay as they are. */
export const McpDraft = z.strictObject({
  name: NAME,
  /** The name that it had; null for a new one. */
  previous: NAME.nullable(),
  transport: Transport,
  command: line(4_096),
  args: z.array(z.string().max(32_768)).max(200),
  cwd: line(4_096),
  url: line(8_192),
  secrets: z
    .array(z.strictObject({ name: line(200).min(1), value: z.string().max(32_768).nullable() }))
    .max(100),
  timeoutSeconds: z.number().int().min(1).max(3_600),
});
export type McpDraft = z.infer<typeof McpDraft>;
