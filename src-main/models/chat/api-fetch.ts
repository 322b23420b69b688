import { parseJson } from '../../base/limited-json';
import { guardedFetch } from '../../base/network/guarded-fetch';
import { keyHeaders } from '../azure';
import { currentRequest } from './current-request';
import { asEventStream, type EventFormat } from './event-stream';

type Fetch = typeof globalThis.fetch;

export const NO_API = 'The address answered with a web page, not as an API.';

/**
 * `guardedFetch` for an address that the person entered. A web page in place of an answer means that the address is wrong,
 * often because `/v1` is missing: the request fails like one for an unknown path.
 */
export const apiFetch: Fetch = async (input, init) => {
  const keyed = input instanceof Request ? init : { ...init, headers: keyHeaders(input, init?.headers) };
  const response = await guardedFetch(withQuery(input), keyed);
  if (!isPage(response)) return response;
  await response.body?.cancel();
  return Response.json({ error: { message: NO_API } }, { status: 404 });
};

/** The same for a service's own address. A web page comes from a network in between. */
const serviceFetch: Fetch = async (input, init) => {
  const response = await guardedFetch(withQuery(input), init);
  if (!isPage(response)) return response;
  await response.body?.cancel();
  throw new Error('A web page came instead of an answer. The network may want you to sign in.');
};

/** The packages would put their path behind the query of an address, so they get the address without it. */
function withQuery(input: Parameters<Fetch>[0]): Parameters<Fetch>[0] {
  const { query = '' } = currentRequest() ?? {};
  if (query === '' || input instanceof Request) return input;
  const url = new URL(input);
  url.search += `${url.search === '' ? '' : '&'}${query}`;
  return url;
}

const isPage = ({ ok, headers }: Response): boolean =>
  ok && /^text\/html\b/i.test(headers.get('content-type') ?? '');

/**
 * For requests whose answers are streams. `isService`: they go to the service's own address. `withError` gives an error the
 * form that the package reads.
 */
export const streamFetch =
  (format: EventFormat, isService: boolean, withError = withOpenAIError): Fetch =>
  async (input, init) => {
    const response = await (isService ? serviceFetch : apiFetch)(input, init);
    return response.ok ? asEventStream(response, format) : withError(response);
  };

/** Bytes of an error. */
const MAX_ERROR = 1_000_000;

/** The value of an error that is JSON; else its text. */
export async function errorBody(response: Response): Promise<unknown> {
  const text = await response.text();
  const parsed = parseJson(text, { maxBytes: MAX_ERROR });
  return 'value' in parsed ? parsed.value : text;
}

export function withBody({ status, statusText, headers: given }: Response, body: string): Response {
  const headers = new Headers(given);
  for (const name of ['content-length', 'content-encoding']) headers.delete(name);
  return new Response(body, { status, statusText, headers });
}

/** An error in OpenAI's form, which its package reads. vLLM and Mistral put the fields at the top; FastAPI has only `detail`. */
async function withOpenAIError(response: Response): Promise<Response> {
  const body = await errorBody(response);
  return withBody(response, typeof body === 'string' ? body : JSON.stringify(inOpenAIForm(body)));
}

function inOpenAIForm(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || 'error' in body) return body;
  const said = 'message' in body ? body.message : 'detail' in body ? body.detail : undefined;
  if (said === undefined) return body;
  return { error: { ...body, message: typeof said === 'string' ? said : JSON.stringify(said) } };
}
