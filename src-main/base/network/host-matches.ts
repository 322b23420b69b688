import { isIP } from 'node:net';
import { plainIp } from './addresses';

/** Default ports of an allowed host without a port. */
const USUAL_PORTS = [80, 443];

/**
 * Whether `pattern` (`example.com`, `*.example.com`, `localhost:8080`, `[::1]:8080`) matches a host and port. Both may be
 * written in any form that a URL may have: `bücher.de` is `xn--bcher-kva.de`, and `0x7f000001` is `127.0.0.1`.
 */
export function hostMatches(pattern: string, host: string, port: number): boolean {
  const [name, wanted] = partsOf(pattern.toLowerCase());
  if (wanted === undefined ? !USUAL_PORTS.includes(port) : Number(wanted) !== port) return false;
  const asked = canonicalHost(host.toLowerCase());
  if (!name.startsWith('*.')) return asked === canonicalHost(name);
  const domain = canonicalHost(name.slice(2));
  return asked.endsWith(`.${domain}`) && asked !== domain;
}

/** A host as the first part of a pattern. IPv6 addresses get brackets, because they contain colons. */
export const hostInPattern = (host: string): string => (isIP(host) === 6 ? `[${host}]` : host);

/** The host of a pattern, and its port. */
function partsOf(pattern: string): [name: string, port: string | undefined] {
  const [, name = '', port] = /^(\[[^\]]*\]|.*?)(?::(\d+))?$/.exec(pattern) ?? [];
  // Without brackets, as rules of older versions: `::1:8080` has a port, `fe80::1` has none.
  return isIP(pattern) === 6 && isIP(name) !== 6 ? [pattern, undefined] : [name, port];
}

function canonicalHost(host: string): string {
  const plain = host.replace(/\.$/, '');
  const address = `http://${hostInPattern(plain)}/`;
  // A name with another character, such as `@` or `/`, is no host, although a URL would have a part that is one.
  if (/[^\p{L}\p{N}\p{M}._:[\]-]/u.test(plain) || !URL.canParse(address)) return plain;
  const { hostname } = new URL(address);
  return plainIp(hostname.replace(/^\[|\]$/g, ''));
}
