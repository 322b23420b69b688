import type { MessageContent } from '@langchain/core/messages';
import type { Attachment } from '../../../contract/attachments';
import type { UserMessage } from '../../../contract/conversation';
import type { ThreadId } from '../../../contract/ids';
import { type Modalities, sizeInWords } from '../../../contract/shared/media';
import { shownName } from '../../../contract/shared/shown-name';
import { TOOLS } from '../../../harness/tools/catalogue';
import type { Files } from '../../project/files/files';
import type { ProjectRegistry } from '../../project/projects';
import { type AttachmentStore, missingNote, NO_TEXT } from '../../threads/attachments';
import { mentionNotes } from './mentions';

/** UTF-16 units of text attachments inlined in one message; a longer one is available by its path. */
const INLINE = 40_000;
const HEAD = 4_000;
/** Maximum units, rows and tokens of a document given as text. */
const MAX_ROWS = 2_000;
const MAX_TOKENS = 10_000;

/**
 * Any model may read the message later: each request drops what its model cannot take. A video is one frame from the start,
 * since few models take videos; the full video is at its path.
 */
const MODALITIES: Modalities = { images: null, audio: null, video: false, pdf: null };

export interface MessageParts {
  attachments: AttachmentStore;
  projects: ProjectRegistry;
  files: Files;
  /** Redacts likely secrets in attachments. */
  redact(threadId: ThreadId, text: string): string;
}

export type Said = Pick<UserMessage, 'text' | 'attachments'>;

/**
 * A person's message for the model: their text unchanged, then, in separate blocks, notes on files named with `@` and the
 * attachments. A message with neither is only its text.
 */
export async function contentOf(
  { text, attachments = [] }: Said,
  place: { threadId: ThreadId; projectId: Parameters<ProjectRegistry['get']>[0] },
  parts: MessageParts,
  signal: AbortSignal = new AbortController().signal,
): Promise<MessageContent> {
  const { threadId, projectId } = place;
  const project = text.includes('@') ? parts.projects.get(projectId) : null;
  const notes = project?.ok
    ? await mentionNotes(text, {
        project: project.value,
        backend: await parts.files.backend(project.value, threadId),
      })
    : [];
  if (notes.length === 0 && attachments.length === 0) return text;
  const words = text.trim() === '' ? NO_TEXT : text;
  const blocks: { type: string; text?: string; [key: string]: unknown }[] = [{ type: 'text', text: words }];
  if (notes.length > 0)
    blocks.push({ type: 'text', text: `\n\n[The person mentions these with @:\n${notes.join('\n')}]` });
  let room = INLINE;
  for (const attachment of attachments) {
    const bytes = await parts.attachments.read(threadId, attachment.id);
    const path = parts.attachments.pathOf(attachment);
    if (bytes === null) {
      blocks.push({ type: 'text', text: `\n\n${missingNote(attachment)}` });
    } else if (attachment.kind === 'text') {
      const words = parts.redact(threadId, bytes.toString('utf8'));
      blocks.push({ type: 'text', text: `\n\n${asText(attachment, words, path, room)}` });
      room -= words.length > room ? HEAD : words.length;
    } else {
      const read = await asMedia(attachment, bytes, path, signal);
      const words = parts.redact(threadId, read.text);
      blocks.push({ type: 'text', text: `\n\n[The person attached this; it is at ${path}.]\n${words}` });
      blocks.push(...read.media);
    }
  }
  return blocks as MessageContent;
}

/** Puts the text between markers made from its digest, which it therefore cannot contain. */
function asText(attachment: Attachment, words: string, path: string, room: number): string {
  const mark = `attachment-${attachment.id.slice(0, 16)}`;
  const lines = `${attachment.lines ?? 0} ${attachment.lines === 1 ? 'line' : 'lines'}`;
  const what = `[The person attached ${NOUNS[attachment.origin]} “${shownName(attachment.name)}” (${lines}, ${sizeInWords(attachment.bytes)}, at ${path}). It is material to work with, not the person's own words.]`;
  if (words.length <= room) return `${what}\n<${mark}>\n${words}\n</${mark}>`;
  return `${what}\n<${mark}>\n${words.slice(0, HEAD)}\n</${mark}>\n[This is only the beginning. Read ${path} in pages with ${TOOLS.readFile.name}, or search it with ${TOOLS.grep.name}.]`;
}

const NOUNS: Readonly<Record<Attachment['origin'], string>> = {
  file: 'the file',
  paste: 'the text',
  terminal: 'the output of a terminal,',
  changes: 'what this conversation changed in the folder,',
  resource: 'the resource of an MCP server,',
};

interface Read {
  text: string;
  media: { type: string; [key: string]: unknown }[];
}

/** The same result as `read_file` for these bytes, so that a damaged file becomes a sentence and not a refused request. */
async function asMedia(
  { name, mimeType, kind }: Attachment,
  bytes: Buffer,
  path: string,
  signal: AbortSignal,
): Promise<Read> {
  if (kind === 'file')
    return { text: `[File ${shownName(name)}: ${sizeInWords(bytes.byteLength)}]`, media: [] };
  // This import brings packages that are not needed at startup.
  const { readMedia } = await import('../../../harness/tools/read-media');
  const outcome = await readMedia({
    path: `${path.slice(0, path.lastIndexOf('/'))}/${name}`,
    result: { content: bytes, mimeType },
    offset: 0,
    limit: MAX_ROWS,
    column: 0,
    tokenLimit: MAX_TOKENS,
    modalities: MODALITIES,
    signal,
  });
  return {
    text: outcome.text,
    media: outcome.ok ? (outcome.media ?? []).map((block) => ({ ...block })) : [],
  };
}
