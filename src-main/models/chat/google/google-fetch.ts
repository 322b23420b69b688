import { isRecord } from '../../../base/is-record';
import { guardedFetch } from '../../../base/network/guarded-fetch';
import { factsOf } from '../../error-facts';
import { isOwn } from '../../provider';
import { errorBody, streamFetch, withBody } from '../api-fetch';
import type { EventFormat } from '../event-stream';
import { type Loose, objectOf } from '../loose';
import { geminiEvents } from '../whole-answers';
import { GOOGLE_ADDRESS } from './google-address';

const FORMAT: EventFormat = { eventsOf: geminiEvents, names: 'none' };

/** The fetch of Google's package, which uses only the global one: requests of other packages pass through it, too. */
export const googleFetch: typeof globalThis.fetch = (input, init) => {
  const url = input instanceof Request ? input.url : String(input);
  if (!url.includes(':streamGenerateContent?')) return guardedFetch(input, init);
  return streamFetch(FORMAT, isOwn(url, GOOGLE_ADDRESS), withGoogleError)(input, init);
};

/** An error in Google's form, the only one that its package reads, with the wait that a header asks for. */
async function withGoogleError(response: Response): Promise<Response> {
  const body = await errorBody(response);
  const [first] = Array.isArray(body) ? (body as unknown[]) : [body];
  const given = objectOf(first).error ?? first;
  const error: Loose = isRecord(given)
    ? { message: JSON.stringify(given), ...given }
    : { message: typeof given === 'string' ? given : '' };
  const details = Array.isArray(error.details) ? (error.details as unknown[]) : [];
  const seconds = factsOf({ headers: response.headers }).retryAfterSeconds;
  const hasWait = details.some((detail) => objectOf(detail).retryDelay !== undefined);
  const wait = seconds === null || hasWait ? [] : [{ retryDelay: `${seconds}s` }];
  const all = [...details, ...wait];
  return withBody(response, JSON.stringify({ error: { ...error, ...(all.length > 0 && { details: all }) } }));
}
