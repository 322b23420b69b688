import { reachOf, reachOfName } from '../base/network/addresses';

const isLoopback = (url: URL) => reachOfName(url) === 'loopback';

/** Whether tokens may be sent there: nobody on the way can read them. */
const isPrivate = (url: URL) => url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url));

/** Whether a sign-in to the server at this address can be made at all. */
export const canSignIn = (address: string): boolean => URL.canParse(address) && isPrivate(new URL(address));

/**
 * Whether the server at `address` may name `url` for its sign-in, as far as the name tells. A server elsewhere must not
 * have Deepdesk ask programs on this computer, nor a public one what stands in the network around it.
 */
export function mayName(address: string, url: URL): boolean {
  if (!isPrivate(url)) return false;
  const reach = reachOfName(url);
  const own = reachOfName(new URL(address));
  if (reach === 'loopback') return own === 'loopback';
  return reach !== 'private' || own !== 'public';
}

/** The same by what the names resolve to. */
export async function isReachable(address: string, url: URL): Promise<boolean> {
  const server = new URL(address);
  if (url.origin === server.origin) return true;
  const [reach, own] = await Promise.all([reachOf(url), reachOf(server)]);
  if (reach === 'loopback') return own === 'loopback';
  return reach === 'public' || own !== 'public';
}
