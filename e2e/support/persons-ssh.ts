import { chmodSync, copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SshServer } from '../../src-main/harness/backends/testing/ssh-server';
import { giveToApp, makeFolder } from './app';

/** The server's name in the person's OpenSSH configuration. */
export const ALIAS = 'build-server';

/** A folder with an `ssh` that has the server's key and its name, for the app's user. */
export function personsSsh(server: SshServer): string {
  const bin = makeFolder('bin');
  copyFileSync(join(server.config, '../id'), join(bin, 'id'));
  const { username, hostname, port } = new URL(server.host);
  writeFileSync(
    join(bin, 'config'),
    [
      `IdentityFile ${join(bin, 'id')}`,
      'IdentitiesOnly yes',
      'IdentityAgent none',
      `Host ${ALIAS}`,
      `HostName ${hostname}`,
      `Port ${port}`,
      `User ${username}`,
      '',
    ].join('\n'),
  );
  writeFileSync(join(bin, 'ssh'), `#!/bin/sh\nPATH=\${PATH#*:}; exec ssh -F '${bin}/config' "$@"\n`);
  chmodSync(join(bin, 'ssh'), 0o755);
  chmodSync(join(bin, 'id'), 0o600);
  giveToApp(bin);
  return bin;
}
