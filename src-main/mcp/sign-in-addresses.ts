const isLoopback = ({ hostname }: URL) =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);

/** Whether tokens may be sent there: nobody on the way can read them. */
const isPrivate = (url: URL) => url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url));

/** Whether a sign-in to the server at this address can be made at all. */
export const canSignIn = (address: string): boolean => URL.canParse(address) && isPrivate(new URL(address));

/**
 * Whether the server at `address` may name `url` for its sign-in. A server elsewhere must not have Deepdesk ask programs
 * on this computer.
 */
export const mayName = (address: string, url: URL): boolean =>
  isPrivate(url) && (!isLoopback(url) || isLoopback(new URL(address)));
