import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temp } from './window';

/**
 * An environment whose `ssh` runs each command on this machine, for tests of what is above the connection. `cut` takes the
 * machine away until `back`.
 */
export function localSsh(): { env: NodeJS.ProcessEnv; cut(): void; back(): void } {
  const bin = temp('bin');
  const gone = join(bin, 'gone');
  const script = [
    '#!/bin/sh',
    `[ -e '${gone}' ] && { echo 'ssh: connect to host build: Connection refused' >&2; exit 255; }`,
    'for word; do [ "$word" = -O ] && exit 0; last=$word; done',
    'exec sh -c "$last"',
  ];
  writeFileSync(join(bin, 'ssh'), `${script.join('\n')}\n`);
  chmodSync(join(bin, 'ssh'), 0o755);
  return {
    env: { ...process.env, PATH: `${bin}:${process.env.PATH}` },
    cut: () => writeFileSync(gone, ''),
    back: () => rmSync(gone),
  };
}
