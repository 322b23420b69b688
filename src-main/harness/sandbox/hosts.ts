import { isIP } from 'node:net';
import { hostMatches } from '../../base/network/host-matches';

/** The hosts a command may reach: allowed by some pattern and denied by none. */
export interface HostList {
  /** Patterns: `example.com` (ports 80 and 443), `*.example.com`, or `example.com:8080`. */
  allow: readonly string[];
  /** Patterns in the same form. They override `allow`. */
  deny: readonly string[];
}

export const mayReach = ({ allow, deny }: HostList, host: string, port: number): boolean =>
  allow.some((pattern) => hostMatches(pattern, host, port)) &&
  !deny.some((pattern) => hostMatches(pattern, host, port));

/** Whether the person named this exact host or local address: a `*` pattern may match more than they intended. */
export const isNamed = ({ allow }: HostList, host: string, port: number): boolean =>
  (isIP(host) !== 0 || /(^|\.)localhost\.?$/i.test(host)) &&
  allow.some((pattern) => !pattern.startsWith('*') && hostMatches(pattern, host, port));
