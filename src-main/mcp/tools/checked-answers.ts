import type { FetchLike } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { parseJson } from '../../base/limited-json';
import { because } from '../../contract/shared/reasons';
import { problem } from '../problem';

/** UTF-16 units of an answer that the person is shown. */
const SHOWN = 120;
/** Bytes of the largest message that is read here. */
const MAX_PARSED = 64 * 1024;

const Id = z.union([z.string(), z.number()]);
const Request = z.object({ id: Id, method: z.string() });
const Message = z.object({ jsonrpc: z.literal('2.0'), id: Id });

/**
 * Rejects the answer to a request if it is not the server's message for it, such as a sign-in page: the SDK's error does not
 * say what came, and for some answers it waits for another one. Streams are left to the SDK. `fetchIt` is for Streamable HTTP,
 * where a request's response holds its answer.
 */
export function checkedAnswers(fetchIt: FetchLike): FetchLike {
  return async (input, init) => {
    const response = await fetchIt(input, init);
    const request = requestOf(init?.body);
    const type = (response.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
    // 202: the answer comes on the stream of the session.
    if (request === null || !response.ok || response.status === 202 || type === 'text/event-stream')
      return response;
    const { status, statusText, headers, url } = response;
    const text = await response.text();
    if (type !== 'application/json' || !answers(text, request.id))
      throw problem(
        text.trim() === ''
          ? because('mcp_empty_answer', { status: String(status) })
          : because('mcp_foreign_answer', { type: type || '?', text: startOf(text) }),
      );
    const read = new Response(text, { status, statusText, headers });
    Object.defineProperty(read, 'url', { value: url });
    return read;
  };
}

function requestOf(body: unknown): z.infer<typeof Request> | null {
  if (typeof body !== 'string') return null;
  const read = parseJson(body, { maxBytes: MAX_PARSED });
  return 'value' in read ? (Request.safeParse(read.value).data ?? null) : null;
}

/** Whether it is a message for the request. One that is too large or too deep to be read here is left to the SDK. */
function answers(text: string, id: string | number): boolean {
  const read = parseJson(text, { maxBytes: MAX_PARSED });
  if ('problem' in read) return read.problem !== 'invalid' && /^\s*[{[]/.test(text);
  const all: unknown[] = Array.isArray(read.value) ? read.value : [read.value];
  return all.some((one) => Message.safeParse(one).data?.id === id);
}

function startOf(text: string): string {
  const line = text
    .slice(0, 4 * SHOWN)
    .replaceAll(/\s+/g, ' ')
    .trim();
  return line.length > SHOWN ? `${line.slice(0, SHOWN)}…` : line;
}
