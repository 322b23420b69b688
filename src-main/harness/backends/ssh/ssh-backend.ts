import { optional } from '../../../contract/shared/optional';
import { RemoteBackend, type RemoteBackendOptions } from '../remote/remote-backend';
import { SshConnection, type SshOptions } from './ssh-connection';

/** Options of `SshBackend`. */
export interface SshBackendOptions extends SshOptions, RemoteBackendOptions {}

/**
 * Files and commands on another machine, over the system's OpenSSH client with the person's configuration, keys, agent and
 * jump hosts. All calls share one connection, which is re-established after a break. Close it.
 */
export class SshBackend extends RemoteBackend {
  /** Connects with the first call, not here. Throws if `host` starts with `-`. */
  constructor({ root, maxOutputBytes, ...options }: SshBackendOptions) {
    super(new SshConnection(options), {
      ...optional({ root, maxOutputBytes }),
    });
  }
}
