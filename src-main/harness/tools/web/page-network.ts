import { lookup } from 'node:dns/promises';
import { isLocalAddress } from '../../../base/network/addresses';

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
  mayReach: (address) => !isLocalAddress(address),
};
