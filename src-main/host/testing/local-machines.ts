import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temp } from './window';

/**
 * An environment whose `ssh` and `docker` run each command on this machine, for tests of what is above the connection. They
 * know the host `build` and the container `box`. `cut` takes both away until `back`.
 */
export function localMachines(): { env: NodeJS.ProcessEnv; cut(): void; back(): void } {
  const bin = temp('bin');
  const gone = join(bin, 'gone');
  const program = (name: string, told: string, known: string) => {
    const script = [
      '#!/bin/sh',
      `[ -e '${gone}' ] && { echo '${told}' >&2; exit ${name === 'ssh' ? 255 : 1}; }`,
      'for word; do [ "$word" = -O ] && exit 0; last=$word; done',
      known,
      'exec sh -c "$last"',
    ];
    writeFileSync(join(bin, name), `${script.join('\n')}\n`);
    chmodSync(join(bin, name), 0o755);
  };
  program('ssh', 'ssh: connect to host build: Connection refused', '');
  program(
    'docker',
    'Error response from daemon: container 12ab is not running',
    'case "$*" in *" box sh -c "*) ;; *) echo "Error response from daemon: No such container: x" >&2; exit 1;; esac',
  );
  return {
    env: { ...process.env, PATH: `${bin}:${process.env.PATH}` },
    cut: () => writeFileSync(gone, ''),
    back: () => rmSync(gone),
  };
}
