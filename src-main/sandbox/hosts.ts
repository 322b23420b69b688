import { isIP } from 'node:net';

/** Ports of a host that is allowed without one. */
const USUAL_PORTS = [80, 443];

/** Whether `pattern` (`example.com`, `*.example.com`, `localhost:8080`) is about a host and a port. */
export function hostMatches(pattern: string, host: string, port: number): boolean {
  const cut = /^(.*?)(?::(\d+))?$/.exec(pattern.toLowerCase());
  const [, name = '', wanted] = cut ?? [];
  if (wanted === undefined ? !USUAL_PORTS.includes(port) : Number(wanted) !== port) return false;
  const asked = host.toLowerCase().replace(/\.$/, '');
  return name.startsWith('*.') ? asked.endsWith(name.slice(1)) && asked !== name.slice(2) : asked === name;
}

/** What a command may reach: allowed by one pattern and forbidden by none. */
export interface HostList {
  allow: readonly string[];
  deny: readonly string[];
}

export const mayReach = ({ allow, deny }: HostList, host: string, port: number): boolean =>
  allow.some((pattern) => hostMatches(pattern, host, port)) &&
  !deny.some((pattern) => hostMatches(pattern, host, port));

/** This machine, and what answers only to it. A name that leads there is refused unless the person wrote just that name. */
export function isOwnMachine(address: string): boolean {
  const plain = address.replace(/^::ffff:/i, '');
  return isIP(plain) === 4 ? /^(127\.|0\.|169\.254\.)/.test(plain) : /^(::1?$|fe[89ab])/i.test(plain);
}

/** A name that can only mean this machine, as the person would write it. */
export const namesOwnMachine = (host: string): boolean =>
  /^localhost$/i.test(host) || (isIP(host) !== 0 && isOwnMachine(host));
