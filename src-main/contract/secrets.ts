import { z } from 'zod';
import { CallId, ProjectId, ThreadId } from './ids';
import { MAX_ATTACHMENTS } from './limits';

/** What a value seems to be; the window has words for each. */
export const SecretKind = z.enum([
  'aws-key',
  'github-token',
  'gitlab-token',
  'slack-token',
  'stripe-key',
  'openai-key',
  'anthropic-key',
  'google-key',
  'npm-token',
  'service-token',
  'private-key',
  'jwt',
  'azure-key',
  'url-password',
  'bearer',
  'password',
  'named',
  'own',
  // An attached file whose name says that it holds secrets.
  'file',
]);
export type SecretKind = z.infer<typeof SecretKind>;

/** Where a value was seen. */
export const SecretPlace = z.object({
  /** Absolute path of the file, where it was in one. */
  path: z.string().optional(),
  /** 1-based line there, or of the output. */
  line: z.number().optional(),
  /** The tool whose result had it; absent for the person's own message and for instructions. */
  tool: z.string().optional(),
  callId: CallId.optional(),
});
export type SecretPlace = z.infer<typeof SecretPlace>;

/** A value that stands in the conversation as `[secret withheld: …, #number]`. Never the value itself. */
export const WithheldSecret = z.object({
  number: z.number().int().positive(),
  kind: SecretKind,
  /** It is written in another form there, such as base64. */
  encoded: z.string().optional(),
  places: z.array(SecretPlace),
  /** The person lets the model see it in this thread. */
  allowed: z.boolean(),
});
export type WithheldSecret = z.infer<typeof WithheldSecret>;

/** What to do with what looks like a secret in a message of the person's: `withhold` leaves such files out. Absent: it is not sent, and said. */
export const SecretsInMessage = z.enum(['send', 'withhold']);
export type SecretsInMessage = z.infer<typeof SecretsInMessage>;

const command = <I extends z.ZodType, O extends z.ZodType>(input: I, output: O) => ({ input, output });
const done = z.strictObject({});

/** Secrets that are kept from the model, the data file and exports. */
export const secretCommands = {
  'secrets.list': command(
    z.strictObject({ threadId: ThreadId }),
    z.object({ secrets: z.array(WithheldSecret), guarded: z.boolean() }),
  ),
  /** The value, for this window only: from memory, else from the file that it was in. `not_found` where neither has it. */
  'secrets.show': command(
    z.strictObject({ threadId: ThreadId, number: z.number().int().positive() }),
    z.object({ value: z.string() }),
  ),
  /** Lets the model see one value in this thread from now on, or no longer. Deepdesk's own keys never. */
  'secrets.allow': command(
    z.strictObject({ threadId: ThreadId, number: z.number().int().positive(), allowed: z.boolean() }),
    done,
  ),
  /** What looks like a secret in a text that the person is about to send, and in the names of files with it; keeps nothing. */
  'secrets.check': command(
    z.strictObject({
      threadId: ThreadId,
      text: z.string().max(2_000_000),
      attached: z.array(z.string().max(1_000)).max(MAX_ATTACHMENTS).optional(),
    }),
    z.object({ kinds: z.array(SecretKind) }),
  ),
  /** Whether likely secrets of a project are withheld. Turning it off must be confirmed. */
  'secrets.guard': command(
    z.strictObject({ projectId: ProjectId, on: z.boolean(), confirmed: z.boolean().optional() }),
    done,
  ),
} as const;
