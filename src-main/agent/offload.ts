import { createHash } from 'node:crypto';
import { ToolMessage } from '@langchain/core/messages';
import type { BackendProtocol } from '../backends/protocol';
import { CHARS_PER_TOKEN, RESULT_TOKEN_LIMIT } from './limits';

const OFFLOAD_FOLDER = '/large_tool_results';

/** Lines of the beginning and of the end in the preview. */
const PREVIEW_LINES = 5;
/** UTF-16 units shown of a preview line. */
const PREVIEW_LINE_LENGTH = 1_000;

/**
 * A result above the limit is saved to a file and replaced by a pointer with a preview of its head and tail. Name, id,
 * status and artifact are kept. Where it cannot be saved, the preview stays and says so: the context must not overflow.
 */
export async function offloadLarge(
  message: ToolMessage,
  backend: BackendProtocol,
  tokenLimit = RESULT_TOKEN_LIMIT,
): Promise<ToolMessage> {
  const { content } = message;
  if (typeof content !== 'string' || content.length <= tokenLimit * CHARS_PER_TOKEN) return message;
  const path = `${OFFLOAD_FOLDER}/${offloadName(message.tool_call_id)}`;
  const written = await backend.write(path, content);
  const where =
    written.error === undefined
      ? `The result is too large (${content.length} characters) and was saved at ${path}. Read it by pages with read_file (offset and limit), or search it with grep.`
      : `The result is too large (${content.length} characters) and could not be saved: ${written.error}`;
  return new ToolMessage({
    content: `${where}\n\nHead and tail:\n\n${preview(content)}`,
    tool_call_id: message.tool_call_id,
    ...(message.name === undefined ? {} : { name: message.name }),
    ...(message.id === undefined ? {} : { id: message.id }),
    ...(message.status === undefined ? {} : { status: message.status }),
    ...(message.artifact === undefined ? {} : { artifact: message.artifact }),
    additional_kwargs: message.additional_kwargs,
  });
}

/** A file name from any id: readable, never colliding (`a.b` and `a_b` differ by the hash), never too long. */
export function offloadName(callId: string): string {
  const readable = callId.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, 60);
  return `${readable}-${createHash('sha256').update(callId).digest('hex').slice(0, 8)}.txt`;
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
  // Only the ends are taken apart: the middle may be many megabytes.
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

/** Where the given number of lines from the beginning ends, without its line end. There are more lines than that. */
function endOfLine(content: string, lines: number): number {
  let at = -1;
  for (let line = 0; line < lines; line++) at = content.indexOf('\n', at + 1);
  return at;
}

/** Where the given number of lines at the end begins. There are more lines than that. */
function startOfLast(content: string, lines: number): number {
  let at = content.length;
  for (let line = 0; line < lines; line++) at = content.lastIndexOf('\n', at - 1);
  return at + 1;
}
