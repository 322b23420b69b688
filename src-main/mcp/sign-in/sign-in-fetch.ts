import type { FetchLike } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { parseJson } from '../../base/limited-json';
import { boundedText, guardedFetch } from '../../base/network/guarded-fetch';
import { because } from '../../contract/shared/reasons';
import { problem } from '../problem';
import { isReachable, mayName } from './sign-in-addresses';

/** Milliseconds for one response of an authorization server. */
const ANSWER_WITHIN = 30_000;
/** Bytes of such a response; metadata and tokens are never larger. */
const MAX_ANSWER = 1_000_000;

export interface SignInFetch {
  ask: FetchLike;
  /** The MCP server rejected this access token. Returns the token that already replaced it, if there is one. */
  refused(token: string): string | undefined;
}

/**
 * Fetches from the authorization servers that the MCP server at `address` may name, and from no other address. Requests with
 * codes or tokens follow no redirect. Concurrent requests refresh an expired token once, including those that fail late: a
 * server that rotates refresh tokens would treat a second use as theft. A new token is refreshed only after it was rejected
 * itself.
 */
export function signInFetch(address: string): SignInFetch {
  let renewal: Renewal | undefined;
  const refusedTokens = new Set<string>();
  const covers = (body: URLSearchParams) =>
    renewal?.given === undefined
      ? renewal?.by === body.get('refresh_token')
      : !refusedTokens.has(renewal.given.access_token) &&
        [renewal.by, renewal.given.refresh_token].includes(body.get('refresh_token') ?? '');
  const ask: FetchLike = async (input, init) => {
    const url = new URL(input);
    if (!mayName(address, url) || !(await isReachable(address, url))) {
      throw problem(because('mcp_sign_in_server_unsafe', { address: url.origin }));
    }
    const body = init?.body instanceof URLSearchParams ? init.body : undefined;
    const isRenewal = init?.method === 'POST' && body?.get('grant_type') === 'refresh_token';
    if (!isRenewal || body === undefined) return responseOf(await answerOf(url, init));
    if (renewal === undefined || !covers(body)) {
      const own: Renewal = { by: body.get('refresh_token') ?? '', answer: answerOf(url, init) };
      renewal = own;
      own.answer.then(
        (answer) => {
          own.given = givenBy(answer);
          // A refresh without a result may be tried again.
          if (own.given === undefined && renewal === own) renewal = undefined;
        },
        () => {
          if (renewal === own) renewal = undefined;
        },
      );
    }
    return responseOf(await renewal.answer);
  };
  return {
    ask,
    refused: (token) => {
      refusedTokens.add(token);
      const given = renewal?.given?.access_token;
      return given === undefined || refusedTokens.has(given) ? undefined : given;
    },
  };
}

interface Renewal {
  /** The refresh token that was used. */
  by: string;
  answer: Promise<Answer>;
  given?: Given | undefined;
}

const Given = z.object({ access_token: z.string(), refresh_token: z.string().optional() });
type Given = z.infer<typeof Given>;

function givenBy({ status, text }: Answer): Given | undefined {
  if (status !== 200) return undefined;
  const read = parseJson(text, { maxBytes: MAX_ANSWER });
  return 'value' in read ? Given.safeParse(read.value).data : undefined;
}

interface Answer {
  status: number;
  headers: Headers;
  text: string;
}

async function answerOf(url: URL, init: RequestInit = {}): Promise<Answer> {
  const limit = AbortSignal.timeout(ANSWER_WITHIN);
  const response = await guardedFetch(url, {
    ...init,
    signal: init.signal ? AbortSignal.any([init.signal, limit]) : limit,
    redirect: init.method === 'POST' ? 'error' : (init.redirect ?? 'follow'),
  });
  const { status, headers } = response;
  const text = await boundedText(response, MAX_ANSWER).catch((error: unknown) => {
    limit.throwIfAborted();
    throw problem(because('mcp_sign_in_answer_too_large', { host: url.host }), { cause: error });
  });
  return { status, headers, text };
}

const EMPTY = new Set([101, 204, 205, 304]);

const responseOf = ({ status, headers, text }: Answer) =>
  new Response(EMPTY.has(status) ? null : text, { status, headers: new Headers(headers) });
