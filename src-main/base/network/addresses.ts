import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';

/** Who an address reaches: only this computer, the local network, or anybody. */
export type Reach = 'loopback' | 'private' | 'public';

const list = (subnets: readonly (readonly [string, number, 'ipv4' | 'ipv6'])[]) => {
  const found = new BlockList();
  for (const [net, prefix, family] of subnets) found.addSubnet(net, prefix, family);
  return found;
};

const LOOPBACK = list([
  ['127.0.0.0', 8, 'ipv4'],
  // "This host": a connection to it reaches this computer.
  ['0.0.0.0', 8, 'ipv4'],
  ['::1', 128, 'ipv6'],
  ['::', 128, 'ipv6'],
]);
const PRIVATE = list([
  ['10.0.0.0', 8, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.0.0.0', 24, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['198.18.0.0', 15, 'ipv4'],
  ['224.0.0.0', 3, 'ipv4'],
  // Local NAT64, Teredo, and 6to4, which carry IPv4 addresses to a relay of this network.
  ['64:ff9b:1::', 48, 'ipv6'],
  ['2001::', 32, 'ipv6'],
  ['2002::', 16, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
  ['fec0::', 10, 'ipv6'],
  ['ff00::', 8, 'ipv6'],
]);

/** IPv6 forms that end with an IPv4 address: mapped, translated (SIIT, NAT64), compatible. */
const EMBEDDED = list([
  ['::ffff:0:0', 96, 'ipv6'],
  ['::ffff:0:0:0', 96, 'ipv6'],
  ['64:ff9b::', 96, 'ipv6'],
  ['::', 96, 'ipv6'],
]);

/** The reach of an IP address. */
export function reachOfIp(ip: string): Reach {
  const family = isIP(ip) === 6 ? 'ipv6' : 'ipv4';
  if (LOOPBACK.check(ip, family)) return 'loopback';
  if (PRIVATE.check(ip, family)) return 'private';
  if (family === 'ipv6' && EMBEDDED.check(ip, 'ipv6')) return reachOfIp(lastFour(ip));
  return 'public';
}

/** The IPv4 address that an IPv6 form of it holds; any other address as it is. */
export const plainIp = (ip: string): string =>
  isIP(ip) === 6 && EMBEDDED.check(ip, 'ipv6') ? lastFour(ip) : ip;

/** The IPv4 address in the last 32 bits, from the form that `URL` writes. */
function lastFour(ip: string): string {
  const host = new URL(`http://[${ip}]/`).hostname.slice(1, -1);
  const groups = host.split(':').slice(-2);
  const [high = 0, low = 0] = groups.map((group) => Number.parseInt(group || '0', 16));
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** The reach that a host name alone reveals; null if it needs to be resolved. */
export function reachOfName({ hostname }: URL): Reach | null {
  const host = hostname.replace(/^\[|\]$/gu, '').replace(/\.$/u, '');
  if (isIP(host) !== 0) return reachOfIp(host);
  if (host === 'localhost' || host.endsWith('.localhost')) return 'loopback';
  return /\.(?:local|internal|home\.arpa)$/u.test(host) ? 'private' : null;
}

/** The nearest reach of a host's addresses: one address of this computer is enough. */
export async function reachOf(url: URL): Promise<Reach> {
  const known = reachOfName(url);
  if (known !== null) return known;
  // For an unknown name, the request itself fails with the reason.
  const found = await lookup(url.hostname, { all: true }).catch(() => []);
  const reaches = found.map(({ address }) => reachOfIp(address));
  if (reaches.includes('loopback')) return 'loopback';
  return reaches.includes('private') ? 'private' : 'public';
}
