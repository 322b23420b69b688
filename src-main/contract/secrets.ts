import { z } from 'zod';
import { CallId } from './ids';

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

/** A value that stands in the conversation as `[secret redacted: …, #number]`. Never the value itself. */
export const RedactedSecret = z.object({
  number: z.number().int().positive(),
  kind: SecretKind,
  /** It is written in another form there, such as base64. */
  encoded: z.string().optional(),
  places: z.array(SecretPlace),
  /** The person lets the model see it in this thread. */
  allowed: z.boolean(),
});
export type RedactedSecret = z.infer<typeof RedactedSecret>;

/** What to do with what looks like a secret in a message of the person's: `redact` leaves such files out. Absent: it is not sent, and said. */
export const SecretsInMessage = z.enum(['send', 'redact']);
export type SecretsInMessage = z.infer<typeof SecretsInMessage>;
