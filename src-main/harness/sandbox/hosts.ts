import { isIP } from 'node:net';

/** Default ports of an allowed host without a port. */
const USUAL_PORTS = [80, 443];

/** Whether `pattern` (`example.com`, `*.example.com`, `localhost:8080`) matches a host and port. */
export function hostMatches(pattern: string, host: string, port: number): boolean {
  const cut = /^(.*?)(?::(\d+))?$/.exec(pattern.toLowerCase());
  const [, name = '', wanted] = cut ?? [];
  if (wanted === undefined ? !USUAL_PORTS.includes(port) : Number(wanted) !== port) return false;
  const asked = host.toLowerCase().replace(/\.$/, '');
  return name.startsWith('*.') ? asked.endsWith(name.slice(1)) && asked !== name.slice(2) : asked === name;
}

/** The hosts a command may reach: allowed by some pattern and denied by none. */
export interface HostList {
  allow: readonly string[];
  deny: readonly string[];
}

export const mayReach = ({ allow, deny }: HostList, host: string, port: number): boolean =>
  allow.some((pattern) => hostMatches(pattern, host, port)) &&
  !deny.some((pattern) => hostMatches(pattern, host, port));

/** Whether the person named this exact host or local address: a `*` pattern may match more than they intended. */
export const isNamed = ({ allow }: HostList, host: string, port: number): boolean =>
  (isIP(host) !== 0 || /(^|\.)localhost\.?$/i.test(host)) &&
  allow.some((pattern) => !pattern.startsWith('*') && hostMatches(pattern, host, port));
