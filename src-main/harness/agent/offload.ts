import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { Command, isCommand } from '@langchain/langgraph';
import { optional } from '../../contract/shared/optional';
import type { BackendProtocol } from '../backends/protocol';
import { artifactFolder } from '../backends/tree-facts';
import { TOOLS, writesFile } from '../tools/catalogue';
import { CHARS_PER_TOKEN, HUMAN_TOKEN_LIMIT, RESULT_TOKEN_LIMIT } from './limits';
import { withArguments } from './with-arguments';

const OFFLOAD_FOLDER = 'large_tool_results';
const HISTORY_FOLDER = 'conversation_history';

/** Lines at the start and at the end of the preview. */
const PREVIEW_LINES = 5;
/** UTF-16 units to show of a preview line. */
const PREVIEW_LINE_LENGTH = 1_000;

/** Key in a result: the files with its call's arguments, by argument name. */
const SAVED_ARGUMENTS = 'deepdesk_saved_arguments';
/** Key in the person's message: the file with its text, as in the published package. */
const EVICTED_TO = 'lc_evicted_to';

export interface Call {
  id?: string | undefined;
  name: string;
  args: Record<string, unknown>;
}

export interface OffloadOptions {
  backend: BackendProtocol;
  /** Tokens from which a text is saved to a file. */
  limit: number;
  /** Called when the whole result is in the file. */
  onSaved?: (callId: string, path: string) => void;
}

/**
 * A tool's answer, with large results and large call arguments saved to files. It handles all messages of a Command and the
 * text of block lists (media stay), and changes nothing else.
 */
export async function offloadCall(
  result: ToolMessage | Command,
  call: Call,
  options: OffloadOptions & { keepResult?: boolean },
): Promise<ToolMessage | Command> {
  const one = async (message: ToolMessage): Promise<ToolMessage> => {
    const large = options.keepResult === true ? message : await offloadLarge(message, options);
    return message.tool_call_id === call.id ? saveArguments(large, call, options) : large;
  };
  if (!isCommand(result)) return one(result);
  const { update } = result;
  const entries: [string, unknown][] = Array.isArray(update)
    ? (update as [string, unknown][])
    : Object.entries(update ?? {});
  let changed = false;
  const next = await Promise.all(
    entries.map(async ([key, value]): Promise<[string, unknown]> => {
      if (key !== 'messages') return [key, value];
      if (!Array.isArray(value)) {
        // LangGraph also takes one message.
        const message = ToolMessage.isInstance(value) ? await one(value) : value;
        changed ||= message !== value;
        return [key, message];
      }
      const messages = await Promise.all(
        value.map((message) => (ToolMessage.isInstance(message) ? one(message) : message)),
      );
      changed ||= messages.some((message, index) => message !== value[index]);
      return [key, messages];
    }),
  );
  if (!changed) return result;
  const { graph, goto, resume } = result;
  return new Command({
    update: Array.isArray(update) ? next : Object.fromEntries(next),
    ...optional({ graph, goto, resume }),
  });
}

/**
 * Saves a result above the limit to a file, and replaces it with a pointer and a preview of its head and tail. Keeps name,
 * id, status, artifact and media. If saving fails, the preview stays and says so: the context must not overflow.
 */
export async function offloadLarge(
  message: ToolMessage,
  { backend, limit = RESULT_TOKEN_LIMIT, onSaved }: Omit<OffloadOptions, 'limit'> & { limit?: number },
): Promise<ToolMessage> {
  const { text, media } = partsOf(message.content, isMedia);
  if (text.length <= limit * CHARS_PER_TOKEN) return message;
  const path = pathOf(backend, message.tool_call_id, text);
  const written = await backend.write(path, text);
  if (written.error === undefined) onSaved?.(message.tool_call_id, path);
  const where =
    written.error === undefined
      ? `The result is too large (${text.length} characters) and was saved at ${path}. ${HOW_TO_READ}`
      : `The result is too large (${text.length} characters) and could not be saved: ${written.error}`;
  return copyOf(message, contentOf(`${where}\n\nHead and tail:\n\n${preview(text)}`, media));
}

/** Tells the model how to use a text that is in a file. */
const HOW_TO_READ = `Read it in pages with ${TOOLS.readFile.name} (offset and limit), or search it with ${TOOLS.grep.name}.`;

const pathOf = (backend: BackendProtocol, name: string, text: string): string =>
  `${artifactFolder(backend, OFFLOAD_FOLDER)}/${offloadName(name, text)}`;

/** Records in the result where its call's long arguments are, so that later requests need not repeat them. */
async function saveArguments(
  message: ToolMessage,
  call: Call,
  { backend, limit }: OffloadOptions,
): Promise<ToolMessage> {
  const saved: Record<string, string> = {};
  for (const [name, value] of Object.entries(call.args)) {
    const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
    if (text.length <= limit * CHARS_PER_TOKEN) continue;
    const own = call.args.file_path;
    if (writesFile(call.name) && typeof own === 'string' && message.status !== 'error') {
      saved[name] = own;
      continue;
    }
    const path = pathOf(backend, `${call.id ?? ''} ${name}`, text);
    // Arguments that could not be saved are still repeated.
    if ((await backend.write(path, text)).error === undefined) saved[name] = path;
  }
  if (Object.keys(saved).length === 0) return message;
  return copyOf(message, message.content, { [SAVED_ARGUMENTS]: saved });
}

const shown = new WeakMap<BaseMessage, BaseMessage>();

/**
 * The messages for a model: a file name replaces saved arguments and the person's long text. Unchanged messages keep their
 * identity.
 */
export function offloadedView(messages: BaseMessage[]): BaseMessage[] {
  const saved = new Map<string, Record<string, string>>();
  for (const message of messages) {
    const paths = message.additional_kwargs[SAVED_ARGUMENTS];
    if (paths !== undefined && paths !== null && ToolMessage.isInstance(message))
      saved.set(message.tool_call_id, paths as Record<string, string>);
  }
  let changed = false;
  const view = messages.map((message) => {
    const made = shown.get(message) ?? shortened(message, saved);
    if (made === message) return message;
    shown.set(message, made);
    changed = true;
    return made;
  });
  return changed ? view : messages;
}

function shortened(message: BaseMessage, saved: Map<string, Record<string, string>>): BaseMessage {
  if (message.additional_kwargs[EVICTED_TO] !== undefined) return withoutEvicted(message);
  return saved.size > 0 && AIMessage.isInstance(message) ? withoutSaved(message, saved) : message;
}

function withoutSaved(message: AIMessage, saved: Map<string, Record<string, string>>): BaseMessage {
  if (!message.tool_calls?.some((call) => saved.has(call.id ?? ''))) return message;
  return withArguments(message, (args, { id }) => {
    const paths = saved.get(id ?? '');
    if (paths === undefined) return args;
    return Object.fromEntries(
      Object.entries(args).map(([name, value]) => {
        const path = paths[name];
        const isShown = typeof value === 'string' && value.endsWith(` characters, now in ${path}]`);
        return [
          name,
          path === undefined || isShown ? value : `[${lengthOf(value)} characters, now in ${path}]`,
        ];
      }),
    );
  });
}

const lengthOf = (value: unknown): number =>
  typeof value === 'string' ? value.length : (JSON.stringify(value) ?? '').length;

/** A message that starts like this has its text in a file already and is not replaced again. */
const MESSAGE_POINTER = 'This message is too large (';

function withoutEvicted(message: BaseMessage): BaseMessage {
  const path = message.additional_kwargs[EVICTED_TO];
  if (!HumanMessage.isInstance(message) || typeof path !== 'string') return message;
  const { text, media } = partsOf(message.content);
  if (text.startsWith(MESSAGE_POINTER)) return message;
  const where = `${MESSAGE_POINTER}${text.length} characters) and was saved at ${path}. ${HOW_TO_READ}`;
  return copyHuman(message, contentOf(`${where}\n\nHead and tail:\n\n${preview(text)}`, media));
}

/**
 * Saves the text of the person's last message to a file if it is above the limit and not saved yet. Returns the message with
 * a reference to it; null if there is nothing to do, or the file could not be written.
 */
export async function offloadHuman(
  messages: readonly BaseMessage[],
  backend: BackendProtocol,
  limit = HUMAN_TOKEN_LIMIT,
): Promise<HumanMessage | null> {
  const message = messages.findLast(
    (one) => HumanMessage.isInstance(one) && one.additional_kwargs.lc_source === undefined,
  );
  if (!HumanMessage.isInstance(message) || message.additional_kwargs[EVICTED_TO] !== undefined) return null;
  const { text } = partsOf(message.content);
  if (text.length <= limit * CHARS_PER_TOKEN) return null;
  const name = createHash('sha256').update(text).digest('hex').slice(0, 12);
  const path = `${artifactFolder(backend, HISTORY_FOLDER)}/${name}.md`;
  if ((await backend.write(path, text)).error !== undefined) return null;
  return copyHuman(message, message.content, { [EVICTED_TO]: path });
}

const MEDIA: ReadonlySet<unknown> = new Set(['image', 'image_url', 'audio', 'input_audio', 'video']);

/** What a model takes as it is. Other blocks of a result, such as files and resources with text, fill its window like text. */
function isMedia(block: object): boolean {
  const { type, mimeType, mime_type } = block as Record<'type' | 'mimeType' | 'mime_type', unknown>;
  return MEDIA.has(type) || (mimeType ?? mime_type) === 'application/pdf';
}

/** The text of a message's content, and its other blocks. Those that `stays` refuses are text, as JSON. */
function partsOf(
  content: BaseMessage['content'],
  stays: (block: object) => boolean = () => true,
): { text: string; media: object[] } {
  if (typeof content === 'string') return { text: content, media: [] };
  const texts: string[] = [];
  const media: object[] = [];
  for (const block of content) {
    const { type, text } = block as { type?: unknown; text?: unknown };
    if (type === 'text' && typeof text === 'string') texts.push(text);
    else if (stays(block)) media.push(block);
    else texts.push(JSON.stringify(block));
  }
  return { text: texts.join('\n'), media };
}

const contentOf = (text: string, media: readonly object[]): ToolMessage['content'] =>
  (media.length === 0 ? text : [{ type: 'text', text }, ...media]) as ToolMessage['content'];

function copyOf(
  message: ToolMessage,
  content: ToolMessage['content'],
  notes: Record<string, unknown> = {},
): ToolMessage {
  return new ToolMessage({
    content,
    tool_call_id: message.tool_call_id,
    ...optional({ name: message.name, id: message.id, status: message.status, artifact: message.artifact }),
    additional_kwargs: { ...message.additional_kwargs, ...notes },
  });
}

function copyHuman(
  message: HumanMessage,
  content: HumanMessage['content'],
  notes: Record<string, unknown> = {},
): HumanMessage {
  return new HumanMessage({
    content,
    ...optional({ id: message.id, name: message.name }),
    additional_kwargs: { ...message.additional_kwargs, ...notes },
    response_metadata: message.response_metadata,
  });
}

/**
 * Makes a file name from any id: readable and never too long. The hash tells `a.b` from `a_b`, and the calls of agents that share
 * a folder and whose servers number the calls: another text is another file. A checksum tells texts apart as well as a hash of
 * eight digits does, in a quarter of the time.
 */
export function offloadName(callId: string, text: string): string {
  const readable = callId.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 60);
  const sum = `${callId}\n${text.length} ${crc32(text)}`;
  const hash = createHash('sha256').update(sum).digest('hex').slice(0, 8);
  return `${readable}-${hash}.txt`;
}

function preview(content: string): string {
  const show = (line: string, number: number) =>
    `${String(number).padStart(6)}\t${line.length > PREVIEW_LINE_LENGTH ? `${line.slice(0, PREVIEW_LINE_LENGTH)}…` : line}`;
  const total = countLines(content);
  if (total <= 2 * PREVIEW_LINES)
    return content
      .split('\n')
      .map((line, index) => show(line, index + 1))
      .join('\n');
  // Split only the ends: the middle may be many megabytes.
  const head = content.slice(0, endOfLine(content, PREVIEW_LINES)).split('\n');
  const tail = content.slice(startOfLast(content, PREVIEW_LINES)).split('\n');
  const from = total - PREVIEW_LINES;
  return [
    ...head.map((line, index) => show(line, index + 1)),
    `... [${from - PREVIEW_LINES} lines truncated] ...`,
    ...tail.map((line, index) => show(line, from + index + 1)),
  ].join('\n');
}

function countLines(content: string): number {
  let count = 1;
  for (let at = content.indexOf('\n'); at !== -1; at = content.indexOf('\n', at + 1)) count++;
  return count;
}

/** End index of the first `lines` lines, without the line break. The text has more lines than that. */
function endOfLine(content: string, lines: number): number {
  let at = -1;
  for (let line = 0; line < lines; line++) at = content.indexOf('\n', at + 1);
  return at;
}

/** Start index of the last `lines` lines. The text has more lines than that. */
function startOfLast(content: string, lines: number): number {
  let at = content.length;
  for (let line = 0; line < lines; line++) at = content.lastIndexOf('\n', at - 1);
  return at + 1;
}
