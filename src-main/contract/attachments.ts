import { z } from 'zod';
import { MAX_ATTACHMENTS } from './limits';

export const AttachmentId = z.string().regex(/^[0-9a-f]{64}$/);

/** An attachment to a message. The main process stores its content once per thread and content. */
export const Attachment = z.object({
  /** SHA-256 of its content. */
  id: AttachmentId,
  /**
   * `text`: the agent gets the text. `file`: it gets only the path. For the others, it gets the form that its model accepts.
   */
  kind: z.enum(['image', 'audio', 'video', 'document', 'text', 'file']),
  origin: z.enum(['file', 'paste', 'terminal', 'changes', 'resource']),
  name: z.string().min(1).max(255),
  /** Path for the agent and for the viewer in the window. */
  path: z.string().max(1_000),
  mimeType: z.string().max(200),
  bytes: z.number().int().nonnegative(),
  /** UTF-16 units of a text. */
  length: z.number().int().nonnegative().optional(),
  /** Lines of a text. */
  lines: z.number().int().nonnegative().optional(),
  /** Pixels of an image. */
  width: z.number().optional(),
  height: z.number().optional(),
});
export type Attachment = z.infer<typeof Attachment>;

export const Attachments = z.array(Attachment).max(MAX_ATTACHMENTS);
