import { z } from 'zod';
import { AppError } from './result';
import { Reason, Reasons } from './shared/reasons';

/** A server's tool, as shown to the person. */
export const McpTool = z.object({
  /** The agent's name for it: `server__tool`. */
  name: z.string(),
  /** The server's title for it. */
  title: z.string(),
  description: z.string(),
  /** The server's own claim. Displayed, but never trusted. */
  saysReadOnly: z.boolean(),
  saysDestructive: z.boolean(),
});
export type McpTool = z.infer<typeof McpTool>;

export const McpState = z.discriminatedUnion('phase', [
  /** Turned off by the person or by its configuration. */
  z.object({ phase: z.literal('off') }),
  /** It comes with the folder, and the person has not yet allowed it to run in this configuration. */
  z.object({ phase: z.literal('consent') }),
  /** Its configuration is invalid. */
  z.object({ phase: z.literal('invalid'), why: Reason }),
  /** Not started yet: it starts with the next turn. */
  z.object({ phase: z.literal('idle') }),
  z.object({ phase: z.literal('starting') }),
  z.object({ phase: z.literal('ready') }),
  /** The person must sign in first. `problem`: the error of the last attempt. */
  z.object({
    phase: z.literal('signIn'),
    problem: AppError.nullable(),
  }),
  /** The browser shows the sign-in page. `at`: its host; null until known. */
  z.object({ phase: z.literal('signingIn'), at: z.string().nullable() }),
  /** `lines`: the last lines of its error output, oldest first, without secrets. */
  z.object({ phase: z.literal('failed'), why: Reasons, lines: z.array(z.string()) }),
]);
export type McpState = z.infer<typeof McpState>;

const Transport = z.enum(['stdio', 'http', 'sse']);

/**
 * How to reach a server, without secrets: the values of the person's variables and headers never reach the window. A
 * folder's configuration is shown unchanged, since a consent must not hide anything that could be a command.
 */
export const McpSetup = z.object({
  transport: Transport,
  /** Program and arguments for `stdio`, as configured; likely secrets of the person are masked. */
  command: z.string(),
  args: z.array(z.string()),
  /** As configured; empty for the default folder. */
  cwd: z.string(),
  /** Address for `http` and `sse`; likely secrets are masked. */
  url: z.string(),
  /** Names of its environment variables or headers; for a project, `NAME=value` unless the name indicates a secret. */
  secrets: z.array(z.string()),
  /** Names of variables that it receives from Deepdesk's environment. */
  variables: z.array(z.string()),
  /** Files of projects that it runs, relative to its folder if it is a project's. A permission covers their content, too. */
  files: z.array(z.string()).optional(),
  /** Timeout of one call, in seconds. */
  timeoutSeconds: z.number(),
  /** Number of likely secrets in plain text in the person's own file that could move to the keychain. */
  readable: z.number().int(),
});
export type McpSetup = z.infer<typeof McpSetup>;

export const McpServer = z.object({
  /** Unique within one list. */
  id: z.string(),
  name: z.string(),
  scope: z.enum(['person', 'project']),
  /** The file with its configuration, in the system's form. */
  source: z.string(),
  /** Null if its configuration cannot be read. */
  setup: McpSetup.nullable(),
  /** The exact configuration that a consent covers. */
  digest: z.string(),
  state: McpState,
  /** The person's sign-in: the host, and the account if known. Null: not signed in. */
  account: z.object({ at: z.string(), as: z.string().nullable() }).nullable(),
  tools: z.array(McpTool),
  /** Tools that the agent does not get, with the reason. */
  leftOut: z.array(z.object({ name: z.string(), why: Reason })),
});
export type McpServer = z.infer<typeof McpServer>;

export const McpServers = z.object({
  servers: z.array(McpServer),
  /** Files that could not be read at all. */
  problems: z.array(z.object({ source: z.string(), why: Reason })),
});
export type McpServers = z.infer<typeof McpServers>;

const line = (most: number) =>
  z
    .string()
    .max(most)
    .regex(/^[^\0\r\n]*$/);
const NAME = line(64).min(1);

/** One of the person's servers, as entered. Unchanged masked parts, and secrets that are null, keep their stored values. */
export const McpDraft = z.strictObject({
  name: NAME,
  /** Its previous name; null for a new one. */
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
