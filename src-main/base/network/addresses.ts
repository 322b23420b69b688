import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';

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
  ['192.88.99.0', 24, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['198.18.0.0', 15, 'ipv4'],
  ['224.0.0.0', 3, 'ipv4'],
  // For examples only: a name that leads there is not one of the internet.
  ['192.0.2.0', 24, 'ipv4'],
  ['198.51.100.0', 24, 'ipv4'],
  ['203.0.113.0', 24, 'ipv4'],
  ['2001:db8::', 32, 'ipv6'],
  // Discards everything.
  ['100::', 64, 'ipv6'],
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

/** The reach of an IP address. What is no address counts as this computer: nobody may be sent there. */
function reachOfIp(ip: string): Reach {
  const plain = plainIp(ip);
  const kind = isIP(plain);
  if (kind === 0) return 'loopback';
  const family = kind === 6 ? 'ipv6' : 'ipv4';
  if (LOOPBACK.check(plain, family)) return 'loopback';
  return PRIVATE.check(plain, family) ? 'private' : 'public';
}

/**
 * Whether an address leads to this computer or to its local network. So does a public address of its own: services on it listen
 * there, too.
 */
export function isLocalAddress(ip: string, own: readonly string[] = ownAddresses()): boolean {
  const plain = plainIp(ip);
  return reachOfIp(plain) !== 'public' || own.some((one) => plainIp(one) === plain);
}

/** Read for each connection: interfaces come and go. */
const ownAddresses = (): string[] =>
  Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address));

/** An address in its canonical form without a zone, or the IPv4 address that an IPv6 form of it holds. */
export function plainIp(ip: string): string {
  const plain = ip.replace(/%.*$/, '');
  if (isIP(plain) !== 6) return plain;
  const { hostname } = new URL(`http://[${plain}]/`);
  // These two hold no address, although the network of compatible addresses contains them.
  const isOwnForm = hostname === '[::1]' || hostname === '[::]';
  return !isOwnForm && EMBEDDED.check(plain, 'ipv6') ? lastFour(hostname) : hostname.slice(1, -1);
}

/** The IPv4 address in the last 32 bits of an IPv6 host, as `URL` writes it. */
function lastFour(hostname: string): string {
  const groups = hostname.slice(1, -1).split(':').slice(-2);
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
