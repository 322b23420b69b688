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

/** Maximum number of ports of this computer that a command can reach. */
const MAX_PORTS = 16;
/** Lower ports need a privilege that commands do not have. */
const FIRST_PORT = 1_024;

/**
 * The ports of this computer that the patterns name with a loopback host and a port (`localhost:5432`). Programs use no proxy for
 * these hosts, so each port gets a listener of its own in the sandbox.
 */
export const localPorts = ({ allow }: Pick<HostList, 'allow'>): LocalPort[] =>
  allow
    .flatMap((pattern): LocalPort[] => {
      const [, host = '', port = ''] = LOCAL.exec(pattern) ?? [];
      return port !== '' && Number(port) >= FIRST_PORT ? [{ host, port: Number(port) }] : [];
    })
    .filter(({ port }, index, all) => all.findIndex((one) => one.port === port) === index)
    .slice(0, MAX_PORTS);

/** A port of this computer, and the host of the pattern that names it. */
export interface LocalPort {
  host: string;
  port: number;
}

const LOCAL = /^((?:[\w-]+\.)*localhost|127\.\d+\.\d+\.\d+):(\d{1,5})$/i;
