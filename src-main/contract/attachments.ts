import { z } from 'zod';
import { MAX_ATTACHMENTS } from './limits';

export const AttachmentId = z.string().regex(/^[0-9a-f]{64}$/);

/** Something the person adds to a message. Its content is kept by the main process, once a thread and content. */
export const Attachment = z.object({
  /** SHA-256 of its content. */
  id: AttachmentId,
  /** `text`: the agent is given its words; the others it is given as its model takes them, `file` by its path alone. */
  kind: z.enum(['image', 'audio', 'video', 'document', 'text', 'file']),
  origin: z.enum(['file', 'paste', 'terminal', 'changes']),
  name: z.string().min(1).max(255),
  /** Where the agent, and the window's viewer, find it. */
  path: z.string().max(1_000),
  mimeType: z.string().max(200),
  bytes: z.number().int().nonnegative(),
  /** UTF-16 units, of a text. */
  length: z.number().int().nonnegative().optional(),
  /** Lines, of a text. */
  lines: z.number().int().nonnegative().optional(),
  /** Pixels, of a picture. */
  width: z.number().optional(),
  height: z.number().optional(),
});
export type Attachment = z.infer<typeof Attachment>;

export const Attachments = z.array(Attachment).max(MAX_ATTACHMENTS);
