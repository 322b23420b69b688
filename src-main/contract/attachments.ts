import { z } from 'zod';
import { TerminalId, ThreadId } from './ids';
import { MAX_ATTACHMENT, MAX_ATTACHMENTS } from './limits';

const command = <I extends z.ZodType, O extends z.ZodType>(input: I, output: O) => ({ input, output });

const AttachmentId = z.string().regex(/^[0-9a-f]{64}$/);

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

export const attachmentCommands = {
  /** Keeps what was pasted or dropped: the page has its bytes and never its path. Errors: `too_large`, `storage`. */
  'attachments.add': command(
    z.strictObject({
      threadId: ThreadId,
      origin: z.enum(['file', 'paste']),
      name: z.string().max(1_000),
      /** Base64. */
      data: z.string().max(MAX_ATTACHMENT * 1.4),
    }),
    Attachment,
  ),
  /** The last part of what a terminal showed, as text. Errors: `not_found`, `invalid` where there is nothing. */
  'attachments.terminal': command(z.strictObject({ threadId: ThreadId, terminalId: TerminalId }), Attachment),
  /** How the folder differs from before the thread's first change, as a diff. Errors: `invalid` where nothing does. */
  'attachments.changes': command(z.strictObject({ threadId: ThreadId }), Attachment),
  /** The words of a text. Errors: `not_found`. */
  'attachments.text': command(
    z.strictObject({ threadId: ThreadId, id: AttachmentId }),
    z.object({ text: z.string() }),
  ),
  /** Forgets one that was taken off before it was sent; one that a message has stays. */
  'attachments.remove': command(z.strictObject({ threadId: ThreadId, id: AttachmentId }), z.strictObject({})),
} as const;
