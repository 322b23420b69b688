import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import { mayName } from './sign-in-addresses';

/** Milliseconds for one answer of an authorization server. */
const ANSWER_WITHIN = 30_000;
/** Bytes of such an answer; more is no list of addresses and no token. */
const MOST_ANSWER = 1_000_000;

/**
 * Asks the authorization servers that the MCP server at `address` names, and no place that it may not name. Requests with
 * codes or tokens in them follow no redirect. Two that renew with the same token at once are one: a server that gives a
 * new token each time would take the second for a theft.
 */
export function signInFetch(address: string): FetchLike {
  let renewing: { body: string; answer: Promise<Answer> } | undefined;
  return async (input, init) => {
    const url = new URL(input);
    if (!mayName(address, url)) {
      throw new Error(`The server wants the sign-in to go to ${url.origin}, which is not safe.`);
    }
    const body = init?.body instanceof URLSearchParams ? init.body.toString() : undefined;
    const isRenewal =
      body !== undefined && init?.method === 'POST' && body.includes('grant_type=refresh_token');
    if (!isRenewal) return responseOf(await ask(url, init));
    if (renewing?.body !== body) {
      const answer = ask(url, init);
      const own = { body, answer };
      renewing = own;
      // One that failed may be tried again.
      answer.catch(() => {
        if (renewing === own) renewing = undefined;
      });
    }
    return responseOf(await renewing.answer);
  };
}

interface Answer {
  status: number;
  headers: Headers;
  text: string;
}

async function ask(url: URL, init: RequestInit = {}): Promise<Answer> {
  const limit = AbortSignal.timeout(ANSWER_WITHIN);
  const response = await fetch(url, {
    ...init,
    signal: init.signal ? AbortSignal.any([init.signal, limit]) : limit,
    redirect: init.method === 'POST' ? 'error' : (init.redirect ?? 'follow'),
  });
  const { status, headers } = response;
  if (Number(headers.get('content-length') ?? 0) > MOST_ANSWER) {
    await response.body?.cancel();
    throw new Error(`${url.host} answered with far too much.`);
  }
  return { status, headers, text: await response.text() };
}

const EMPTY = new Set([101, 204, 205, 304]);

const responseOf = ({ status, headers, text }: Answer) =>
  new Response(EMPTY.has(status) ? null : text, { status, headers: new Headers(headers) });
