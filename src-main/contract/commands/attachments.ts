import { z } from 'zod';
import { Attachment, AttachmentId } from '../attachments';
import { command, done } from '../command';
import { TerminalId, ThreadId } from '../ids';
import { MAX_ATTACHMENT } from '../limits';

/** Attachments to messages. */
export const attachmentsCommands = {
  /** Stores pasted or dropped content: the renderer has its bytes but never its path. Errors: `too_large`, `storage`. */
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
  /** The last part of a terminal's output, as text. Errors: `not_found`, and `invalid` if there is none. */
  'attachments.terminal': command(z.strictObject({ threadId: ThreadId, terminalId: TerminalId }), Attachment),
  /** Changes in the folder since before the thread's first change, as a diff. Errors: `invalid` if there are none. */
  'attachments.changes': command(z.strictObject({ threadId: ThreadId }), Attachment),
  /** The content of an MCP server's resource. Errors: `not_found`, `too_large`, and the server's errors. */
  'attachments.resource': command(
    z.strictObject({ threadId: ThreadId, serverId: z.string().max(400), uri: z.string().max(2_000) }),
    Attachment,
  ),
  /** The content of a text attachment. Errors: `not_found`. */
  'attachments.text': command(
    z.strictObject({ threadId: ThreadId, id: AttachmentId }),
    z.object({ text: z.string() }),
  ),
  /** Deletes one that was removed before sending; those of sent messages stay. */
  'attachments.remove': command(z.strictObject({ threadId: ThreadId, id: AttachmentId }), done),
} as const;
