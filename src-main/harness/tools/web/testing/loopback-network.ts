import type { PageNetwork } from '../page-network';

/** Every name has the address of a loopback server, and only that address may be reached. */
export function loopbackNetwork(): PageNetwork & { resolved: string[] } {
  const resolved: string[] = [];
  return {
    resolved,
    resolve: async (hostname) => {
      resolved.push(hostname);
      return [{ address: '127.0.0.1', family: 4 }];
    },
    mayReach: (address) => address === '127.0.0.1',
  };
}
