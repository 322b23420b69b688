import { reachOf, reachOfName } from '../../base/network/addresses';

const isLoopback = (url: URL) => reachOfName(url) === 'loopback';

/** Whether tokens may be sent there: nobody on the way can read them. */
const isPrivate = (url: URL) => url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url));

/** Whether a sign-in to the server at this address is possible. */
export const canSignIn = (address: string): boolean => URL.canParse(address) && isPrivate(new URL(address));

/**
 * Whether the server at `address` may name `url` for its sign-in, judged by the host name. A remote server must not make
 * Deepdesk send requests to programs on this computer, and a public server must not reach the local network.
 */
export function mayName(address: string, url: URL): boolean {
  if (!isPrivate(url)) return false;
  const reach = reachOfName(url);
  const own = reachOfName(new URL(address));
  if (reach === 'loopback') return own === 'loopback';
  return reach !== 'private' || own !== 'public';
}

/** The same check on the resolved addresses. */
export async function isReachable(address: string, url: URL): Promise<boolean> {
  const server = new URL(address);
  if (url.origin === server.origin) return true;
  const [reach, own] = await Promise.all([reachOf(url), reachOf(server)]);
  if (reach === 'loopback') return own === 'loopback';
  return reach === 'public' || own !== 'public';
}
