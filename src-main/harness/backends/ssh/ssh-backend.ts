import {
  amount,
  anyObject,
  anyText,
  type Checks,
  checkOptions,
  listOf,
  text,
} from '../../../base/check-options';
import { optional } from '../../../contract/shared/optional';
import { RemoteBackend, type RemoteBackendOptions } from '../remote/remote-backend';
import { SshConnection, type SshOptions } from './ssh-connection';

/** Options of `SshBackend`. */
export interface SshBackendOptions extends SshOptions, RemoteBackendOptions {}

const CHECKS: Checks<SshBackendOptions> = {
  root: text,
  maxOutputBytes: amount,
  host: text,
  hostKeys: listOf(text, 'fingerprints'),
  knownHosts: text,
  config: text,
  secret: anyText,
  env: anyObject,
};

/**
 * Files and commands on another machine, over the system's OpenSSH client with the person's configuration, keys, agent and
 * jump hosts. All calls share one connection, which is re-established after a break. Close it.
 */
export class SshBackend extends RemoteBackend {
  /** Connects with the first call, not here. Throws if `host` starts with `-`. */
  constructor(given: SshBackendOptions) {
    checkOptions('SshBackend', given, CHECKS, ['host']);
    const { root, maxOutputBytes, ...options } = given;
    super(new SshConnection(options), {
      ...optional({ root, maxOutputBytes }),
    });
  }
}
