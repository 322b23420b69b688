import { z } from 'zod';
import { command, done } from '../command';
import { ProjectId, ThreadId } from '../ids';
import { MAX_ATTACHMENTS } from '../limits';
import { RedactedSecret, SecretKind } from '../secrets';

/** Secrets that are hidden from the model, the database and exports. */
export const secretsCommands = {
  'secrets.list': command(
    z.strictObject({ threadId: ThreadId }),
    z.object({ secrets: z.array(RedactedSecret), guarded: z.boolean() }),
  ),
  /** The value, for this window only: from memory, or else from its file. `not_found` if neither has it. */
  'secrets.show': command(
    z.strictObject({ threadId: ThreadId, number: z.number().int().positive() }),
    z.object({ value: z.string() }),
  ),
  /** Lets the model see one value in this thread from now on, or revokes that. Deepdesk's own keys are never allowed. */
  'secrets.allow': command(
    z.strictObject({ threadId: ThreadId, number: z.number().int().positive(), allowed: z.boolean() }),
    done,
  ),
  /** Finds likely secrets in a text that the person is about to send, and in the names of attached files; stores nothing. */
  'secrets.check': command(
    z.strictObject({
      threadId: ThreadId,
      text: z.string().max(2_000_000),
      attached: z.array(z.string().max(1_000)).max(MAX_ATTACHMENTS).optional(),
    }),
    z.object({ kinds: z.array(SecretKind) }),
  ),
  /** Whether likely secrets of a project are redacted. Turning it off requires confirmation. */
  'secrets.guard': command(
    z.strictObject({ projectId: ProjectId, on: z.boolean(), confirmed: z.boolean().optional() }),
    done,
  ),
} as const;
