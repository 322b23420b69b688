import { z } from 'zod';
import { CallId } from './ids';

/** The likely type of a value; the UI has a label for each. */
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
  // An attached file whose name suggests that it holds secrets.
  'file',
]);
export type SecretKind = z.infer<typeof SecretKind>;

/** The place where a value was found. */
export const SecretPlace = z.object({
  /** Absolute path of the file, if any. */
  path: z.string().optional(),
  /** 1-based line in the file or the output. */
  line: z.number().optional(),
  /** The tool whose result contained it; absent for the person's message and for instructions. */
  tool: z.string().optional(),
  callId: CallId.optional(),
});
export type SecretPlace = z.infer<typeof SecretPlace>;

/** A value that the conversation shows as `[secret redacted: …, #number]`. Never the value itself. */
export const RedactedSecret = z.object({
  number: z.number().int().positive(),
  kind: SecretKind,
  /** Its encoding there, such as base64. */
  encoded: z.string().optional(),
  places: z.array(SecretPlace),
  /** The person lets the model see it in this thread. */
  allowed: z.boolean(),
});
export type RedactedSecret = z.infer<typeof RedactedSecret>;

/**
 * How to handle likely secrets in the person's message: `redact` also leaves out such files. Absent: the message is not
 * sent, and the person is told.
 */
export const SecretsInMessage = z.enum(['send', 'redact']);
export type SecretsInMessage = z.infer<typeof SecretsInMessage>;
