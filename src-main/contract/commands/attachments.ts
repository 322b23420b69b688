import { z } from 'zod';
import { Attachment, AttachmentId } from '../attachments';
import { command, done } from '../command';
import { TerminalId, ThreadId } from '../ids';
import { MAX_ATTACHMENT } from '../limits';

/** What the person adds to messages. */
export const attachmentsCommands = {
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
  'attachments.remove': command(z.strictObject({ threadId: ThreadId, id: AttachmentId }), done),
} as const;
