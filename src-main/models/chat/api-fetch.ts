import { parseJson } from '../../base/limited-json';
import { guardedFetch } from '../../base/network/guarded-fetch';

/**
 * `guardedFetch` for an address that the person entered. A web page in place of an answer means that the address is wrong,
 * often because `/v1` is missing: the request fails like one for an unknown path. Read as a stream, it would be an answer
 * that broke off.
 */
export const apiFetch: typeof globalThis.fetch = async (input, init) => {
  const response = await guardedFetch(input, init);
  if (!response.ok || !/^text\/html\b/i.test(response.headers.get('content-type') ?? '')) return response;
  await response.body?.cancel();
  const message = 'The address answered with a web page, not as an API.';
  return Response.json({ error: { message } }, { status: 404 });
};

/** Bytes of a whole answer or an error. */
const MAX_BODY = 64 * 1024 * 1024;

/**
 * `apiFetch` for Chat Completions of any server. The client package reads errors only in OpenAI's form, and every answer as
 * a stream: errors of other servers get that form, and a whole answer becomes a stream with one event.
 */
export const chatFetch: typeof globalThis.fetch = async (input, init) => {
  const response = await apiFetch(input, init);
  if (!/^application\/json\b/i.test(response.headers.get('content-type') ?? '')) return response;
  const text = await response.text();
  const body = parsed(text);
  const headers = new Headers(response.headers);
  for (const name of ['content-length', 'content-encoding']) headers.delete(name);
  const { status } = response;
  if (!response.ok) return new Response(JSON.stringify(withError(body)) ?? text, { status, headers });
  headers.set('content-type', 'text/event-stream');
  return new Response(body === undefined ? text : `data: ${JSON.stringify(body)}\n\n`, { status, headers });
};

function parsed(text: string): unknown {
  const body = parseJson(text, { maxBytes: MAX_BODY });
  return 'value' in body ? body.value : undefined;
}

/** vLLM and Mistral put the error's fields at the top; FastAPI has only `detail`. */
function withError(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || 'error' in body) return body;
  const said = 'message' in body ? body.message : 'detail' in body ? body.detail : undefined;
  if (said === undefined) return body;
  return { error: { ...body, message: typeof said === 'string' ? said : JSON.stringify(said) } };
}
