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

/**
 * Whether the person wrote just that name or address of their own machine or network: a pattern with `*` may match more than
 * they thought of.
 */
export const isNamed = ({ allow }: HostList, host: string, port: number): boolean =>
  (isIP(host) !== 0 || /(^|\.)localhost\.?$/i.test(host)) &&
  allow.some((pattern) => !pattern.startsWith('*') && hostMatches(pattern, host, port));
