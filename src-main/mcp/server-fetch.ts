import { extractWWWAuthenticateParams } from '@modelcontextprotocol/sdk/client/auth.js';
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { Challenge } from './sign-in';
import { signInFetch } from './sign-in-fetch';

/**
 * Asks the server at `address`, with the headers that the person configured for it, and authorization servers without
 * them: whatever else the SDK asks for, those are the server's alone. `onRefused`: it answered 401.
 */
export function serverFetch(
  address: string,
  headers: Readonly<Record<string, string>>,
  onRefused: (challenge: Challenge) => void,
): FetchLike {
  const { origin } = new URL(address);
  const askForSignIn = signInFetch(address);
  return async (input, init) => {
    const url = new URL(input);
    const isOfSignIn =
      url.origin !== origin ||
      init?.body instanceof URLSearchParams ||
      url.pathname.startsWith('/.well-known/');
    if (isOfSignIn) return askForSignIn(url, init);
    const all = new Headers(init?.headers);
    for (const [name, value] of Object.entries(headers)) all.set(name, value);
    const response = await fetch(url, { ...init, headers: all });
    if (response.status === 401) {
      const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
      onRefused({ resourceMetadataUrl, scope });
    }
    return response;
  };
}
