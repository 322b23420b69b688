import { extractWWWAuthenticateParams, type FetchLike } from '@modelcontextprotocol/client';
import { guardedFetch } from '../../base/network/guarded-fetch';
import type { Challenge } from '../sign-in/sign-in';
import { signInFetch } from '../sign-in/sign-in-fetch';
import { limitedMessages } from './message-limits';

/**
 * Fetches from the server at `address` with the headers that the person configured for it. Requests to authorization servers
 * go without them, because those headers are only for the server. A request whose token was refreshed while it was in
 * progress is sent again with the new one. `onRefused`: the server answered 401.
 */
export function serverFetch(
  address: string,
  headers: Readonly<Record<string, string>>,
  onRefused: (challenge: Challenge) => void,
): FetchLike {
  const { origin } = new URL(address);
  const signIn = signInFetch(address);
  return async (input, init) => {
    const url = new URL(input);
    const isOfSignIn =
      url.origin !== origin ||
      init?.body instanceof URLSearchParams ||
      url.pathname.startsWith('/.well-known/');
    if (isOfSignIn) return signIn.ask(url, init);
    const all = new Headers(init?.headers);
    for (const [name, value] of Object.entries(headers)) all.set(name, value);
    const lent = bearerOf(all);
    let response = await guardedFetch(url, { ...init, headers: all });
    const renewed = response.status === 401 && lent !== undefined ? signIn.refused(lent) : undefined;
    if (renewed !== undefined) {
      await response.body?.cancel();
      all.set('Authorization', `Bearer ${renewed}`);
      response = await guardedFetch(url, { ...init, headers: all });
      if (response.status === 401) signIn.refused(renewed);
    }
    if (response.status === 401) {
      const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
      onRefused({ resourceMetadataUrl, scope });
    }
    return limitedMessages(response);
  };
}

const bearerOf = (headers: Headers): string | undefined =>
  /^Bearer (.+)$/i.exec(headers.get('Authorization') ?? '')?.[1];
