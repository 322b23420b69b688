import type { MessageContent } from '@langchain/core/messages';
import type { Attachment } from '../../contract/attachments';
import type { UserMessage } from '../../contract/conversation';
import type { ThreadId } from '../../contract/ids';
import { type Modalities, sizeInWords } from '../../contract/shared/media';
import { shownName } from '../../contract/shared/shown-name';
import { TOOLS } from '../../harness/tools/catalogue';
import type { Files } from '../project/files';
import type { ProjectRegistry } from '../project/projects';
import type { AttachmentStore } from '../threads/attachments';
import { mentionNotes } from './mentions';

/** UTF-16 units of text attachments that stand in one message; what is longer is there by its path. */
const INLINE = 40_000;
const HEAD = 4_000;
/** Units, rows and tokens of a document that is given as text. */
const MAX_ROWS = 2_000;
const MAX_TOKENS = 10_000;

/**
 * Nobody knows which models will read the message: each request leaves out what its model cannot take. A video is one
 * frame from the start, since few take videos; the whole of it is at its path.
 */
const MODALITIES: Modalities = { images: null, audio: null, video: false, pdf: null };

export interface MessageParts {
  attachments: AttachmentStore;
  projects: ProjectRegistry;
  files: Files;
  /** Takes likely secrets out of what was attached. */
  redact(threadId: ThreadId, text: string): string;
}

export type Said = Pick<UserMessage, 'text' | 'attachments'>;

/**
 * What the model is given of a message of the person's: their words as they are, then, in blocks of their own, what the
 * files that they name with `@` are, and what they attached. A message with neither is its words.
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
  // Services refuse an empty block.
  const words = text.trim() === '' ? '[The person sent no text with this.]' : text;
  const blocks: { type: string; text?: string; [key: string]: unknown }[] = [{ type: 'text', text: words }];
  if (notes.length > 0)
    blocks.push({ type: 'text', text: `\n\n[The person mentions these with @:\n${notes.join('\n')}]` });
  let room = INLINE;
  for (const attachment of attachments) {
    const bytes = await parts.attachments.read(threadId, attachment.id);
    const path = parts.attachments.pathOf(attachment);
    if (bytes === null) {
      const note = `[The person attached ${shownName(attachment.name)}, which is no longer kept.]`;
      blocks.push({ type: 'text', text: `\n\n${note}` });
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

/** Between marks that the text cannot have, since they are made of its own digest. */
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
};

interface Read {
  text: string;
  media: { type: string; [key: string]: unknown }[];
}

/** As `read_file` would answer for the same bytes, so that a damaged file is a sentence and never a refused request. */
async function asMedia(
  { name, mimeType, kind }: Attachment,
  bytes: Buffer,
  path: string,
  signal: AbortSignal,
): Promise<Read> {
  if (kind === 'file')
    return { text: `[File ${shownName(name)}: ${sizeInWords(bytes.byteLength)}]`, media: [] };
  // With them come packages that a start does without.
  const { readMedia } = await import('../../harness/tools/read-media');
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
