import { ThreadId } from '../contract/ids';
import type { Storage } from '../storage';

/** Stands for the host itself among the leases of threads. */
const HOST_LEASE = ThreadId.parse('host');
/** Milliseconds between its signs of life. */
const HEARTBEAT = 10_000;

export interface HostLease {
  /**
   * The first host on a data folder looks after what earlier runs left; another one, such as the headless command beside
   * the app, must not take what belongs to a running app for left-overs.
   */
  isFirst: boolean;
  release(): void;
}

/** Holds the data folder's lease, where nobody else does, until it is released. */
export function holdLease(storage: Storage): HostLease {
  const isFirst = storage.leases.acquire(HOST_LEASE).ok;
  const heartbeat = setInterval(() => isFirst && storage.leases.heartbeat(HOST_LEASE), HEARTBEAT);
  heartbeat.unref();
  return {
    isFirst,
    release: () => {
      clearInterval(heartbeat);
      if (isFirst) storage.leases.release(HOST_LEASE);
    },
  };
}
