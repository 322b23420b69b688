import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';

/** Addresses of this machine, its networks or no specific host: none is a host on the internet. */
const NOT_PUBLIC: readonly (readonly [network: string, prefix: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
  ['::', 128],
  ['::1', 128],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 32],
  ['2001:db8::', 32],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
];

const notPublic = new BlockList();
for (const [network, prefix] of NOT_PUBLIC)
  notPublic.addSubnet(network, prefix, network.includes(':') ? 'ipv6' : 'ipv4');

/** IPv6 networks whose addresses embed an IPv4 address, and its 16-bit group: mapped, compatible, NAT64, 6to4. */
const CARRIERS: readonly (readonly [prefix: readonly number[], at: number])[] = [
  [[0, 0, 0, 0, 0, 0xffff], 6],
  [[0, 0, 0, 0, 0xffff, 0], 6],
  [[0, 0, 0, 0, 0, 0], 6],
  [[0x64, 0xff9b, 0, 0, 0, 0], 6],
  [[0x2002], 1],
];

/**
 * Whether an address belongs to this machine or a network around it, where a public name must not lead. Invalid addresses
 * count as local.
 */
export function isLocalAddress(address: string, own: readonly string[] = ownAddresses()): boolean {
  const plain = address.replace(/%.*$/, '');
  const kind = isIP(plain);
  if (kind === 0) return true;
  if (kind === 4) return notPublic.check(plain, 'ipv4') || own.includes(plain);
  const groups = groupsOf(plain);
  if (
    notPublic.check(plain, 'ipv6') ||
    own.some((one) => isIP(one) === 6 && sameGroups(groupsOf(one), groups))
  )
    return true;
  return CARRIERS.some(
    ([prefix, at]) =>
      prefix.every((group, index) => groups[index] === group) &&
      isLocalAddress(
        `${byte(groups, at, 0)}.${byte(groups, at, 1)}.${byte(groups, at, 2)}.${byte(groups, at, 3)}`,
        own,
      ),
  );
}

/** Read for each connection: interfaces come and go. */
const ownAddresses = (): string[] =>
  Object.values(networkInterfaces()).flatMap((addresses) =>
    (addresses ?? []).map(({ address }) => address.replace(/%.*$/, '')),
  );

/** The eight groups of an IPv6 address, in any notation. */
function groupsOf(address: string): number[] {
  const written = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [before = '', after] = written.split('::');
  const numbers = (part: string) =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  const head = numbers(before);
  const tail = after === undefined ? [] : numbers(after);
  return [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail];
}

const sameGroups = (a: readonly number[], b: readonly number[]) =>
  a.every((group, index) => b[index] === group);

/** One of the four bytes that start at a group. */
const byte = (groups: readonly number[], at: number, index: number) => {
  const group = groups[at + (index >> 1)] ?? 0;
  return index % 2 === 0 ? group >> 8 : group & 0xff;
};
