/** Maximum redirects within one server. */
const MAX_REDIRECTS = 5;

/** Maximum bytes of an error response's body; more helps nobody. */
const MAX_ERROR_BODY = 1_000_000;

/** The statuses that name another address for a request. */
export const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** A redirect would have taken the request, with its key, to another server. */
class RedirectRefusedError extends Error {
  override readonly name = 'RedirectRefusedError';
  readonly code = 'ERR_REDIRECT_REFUSED';
}

/** Whether an error, or a package's wrapper around it, comes from a refused redirect. Packages at least keep the text. */
export const REDIRECT_REFUSED = /\bredirect was refused\b/u;
/** The same for a proxy of the environment that cannot be used (`proxiedFetch`). */
export const PROXY_UNSUPPORTED = /\bnames a proxy of the kind\b/u;

/**
 * The only way to make an HTTP request in the main process. It follows redirects only within the requested origin, so a
 * redirect never changes the scheme either. `fetch` itself would send every header except `Authorization` to another server.
 */
export const guardedFetch: typeof globalThis.fetch = async (input, init) => {
  const asked = input instanceof Request ? input : null;
  if ((init?.redirect ?? asked?.redirect ?? 'follow') !== 'follow') {
    return bounded(await transport(input, init));
  }
  let url = input instanceof Request ? input.url : new URL(input).href;
  const { origin } = new URL(url);
  let target: Parameters<typeof globalThis.fetch>[0] = input;
  let step: RequestInit = { ...init };
  for (let redirects = 0; ; redirects += 1) {
    const response = await transport(target, { ...step, redirect: 'manual' });
    const location = REDIRECTS.has(response.status) ? response.headers.get('location') : null;
    if (location === null) return bounded(response);
    await response.body?.cancel();
    url = nextUrl(url, location, origin);
    if (redirects === MAX_REDIRECTS) {
      throw new RedirectRefusedError(`A redirect was refused: ${origin} redirected too many times.`);
    }
    step = nextRequest(asked, step, response.status);
    target = url;
  }
};

/** Node's own fetch, saved before `guardGlobalFetch` replaced it. */
const plainFetch = globalThis.fetch;

/** What sends the requests. */
let transport = plainFetch;

/** Replaces what sends the requests of this process, by what `make` returns for Node's own fetch. */
export function sendRequestsBy(make: (direct: typeof globalThis.fetch) => typeof globalThis.fetch): void {
  transport = make(plainFetch);
}

/** For packages that use only the global fetch. `send` must use `guardedFetch`. A second call has no effect. */
export function guardGlobalFetch(send = guardedFetch): void {
  globalThis.fetch = send;
}

function nextUrl(from: string, location: string, origin: string): string {
  const to = URL.canParse(location, from) ? new URL(location, from) : null;
  if (to === null || to.origin !== origin || to.username !== '' || to.password !== '') {
    const where = to === null ? 'no valid address' : to.origin;
    throw new RedirectRefusedError(
      `A redirect was refused: ${origin} wanted to pass the request on to ${where}. If you trust that address, enter it instead.`,
    );
  }
  return to.href;
}

function nextRequest(asked: Request | null, step: RequestInit, status: number): RequestInit {
  const method = (step.method ?? asked?.method ?? 'GET').toUpperCase();
  const headers = new Headers(step.headers ?? asked?.headers);
  const signal = step.signal ?? asked?.signal ?? null;
  const { body, ...rest } = step;
  if ((status === 303 && method !== 'HEAD') || (status <= 302 && method === 'POST')) {
    for (const name of [...headers.keys()]) if (name.startsWith('content-')) headers.delete(name);
    return { ...rest, method: 'GET', headers, signal };
  }
  const isGone = body === undefined && asked?.body != null;
  if (isGone || (body != null && !canSendAgain(body))) {
    throw new RedirectRefusedError('A redirect was refused: the body of the request cannot be sent again.');
  }
  return { ...step, method, headers, signal };
}

const canSendAgain = (body: unknown): boolean =>
  typeof body === 'string' ||
  body instanceof URLSearchParams ||
  body instanceof FormData ||
  body instanceof Blob ||
  body instanceof ArrayBuffer ||
  ArrayBuffer.isView(body);

/** Clients read an error body to its end, however long it is. */
const bounded = (response: Response): Response =>
  response.ok || response.body === null ? response : withLimit(response, MAX_ERROR_BODY, 'cut');

/** The response with at most that many bytes of its body. The rest is dropped or causes an error. */
function withLimit(response: Response, maxBytes: number, beyond: 'cut' | 'error'): Response {
  const { body, status, statusText, headers, url } = response;
  if (body === null) return response;
  let left = maxBytes;
  const limit = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      controller.enqueue(chunk.byteLength > left ? chunk.subarray(0, left) : chunk);
      left -= chunk.byteLength;
      if (left >= 0) return;
      if (beyond === 'cut') controller.terminate();
      else controller.error(new Error(`The answer is longer than ${maxBytes} bytes.`));
    },
  });
  const limited = new Response(body.pipeThrough(limit), { status, statusText, headers });
  Object.defineProperty(limited, 'url', { value: url });
  return limited;
}

/** The text of a body up to a limit, whatever length the server declares. Rejects beyond it. */
export async function boundedText(response: Response, maxBytes: number): Promise<string> {
  if (Number(response.headers.get('content-length') ?? 0) > maxBytes) {
    await response.body?.cancel();
    throw new Error(`The answer is longer than ${maxBytes} bytes.`);
  }
  return withLimit(response, maxBytes, 'error').text();
}
