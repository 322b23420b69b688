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
