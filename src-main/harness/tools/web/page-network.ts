import { lookup } from 'node:dns/promises';
import { networkInterfaces } from 'node:os';
import { plainIp, reachOfIp } from '../../../base/network/addresses';

export interface ResolvedAddress {
  address: string;
  family: number;
}

/** How pages are reached. Tests replace it, since a page on this computer is never read. */
export interface PageNetwork {
  resolve(hostname: string): Promise<ResolvedAddress[]>;
  /** Whether a page there may be read. */
  mayReach(address: string): boolean;
  /** The proxy for an address; null if it is reached directly. Absent: all are. */
  proxyFor?(url: URL): URL | null;
}

/** Only the internet: nothing of this computer or of its local network. */
export const PUBLIC_NETWORK: PageNetwork = {
  resolve: (hostname) => lookup(hostname.replace(/^\[|\]$/gu, ''), { all: true }),
  mayReach: (address) => reachOfIp(address) === 'public' && !isOwn(address),
};

/** A public address of this computer reaches the services on it, in whatever form it is written. */
const isOwn = (address: string): boolean =>
  Object.values(networkInterfaces()).some(
    (all) => all?.some((own) => own.address === plainIp(address)) === true,
  );
