import { fail, ok, type Result } from '../../contract/result';
import { quote } from '../../harness/backends/sandbox-scripts';
import { SshBackend } from '../../harness/backends/ssh/ssh-backend';
import { SshError, type SshProblem } from '../../harness/backends/ssh/ssh-connection';
import type { PlaceKindModule } from './place-kind';

/** Status of `cd` into a folder that is not there. */
const NO_FOLDER = 7;

/** A folder on another machine, over the person's OpenSSH. */
export const sshPlace: PlaceKindModule<'ssh'> = {
  connect: async ({ host, folder, hostKeys }, { secret, signal, knownHosts, env }) => {
    if (!isHost(host)) return fail('invalid', 'place_ssh_host', { host });
    const options = { host, hostKeys, knownHosts, secret, env };
    const first = new SshBackend(options);
    const stop = () => void first.close();
    signal.addEventListener('abort', stop, { once: true });
    const found = await askFor(first, host, `cd ${placeOf(folder)} || exit ${NO_FOLDER}; pwd -P`);
    signal.removeEventListener('abort', stop);
    await first.close();
    if (!found.ok) return found;
    const { exitCode, output } = found.value;
    if (exitCode !== 0) return fail('not_found', 'place_folder_gone', { folder });
    const root = output.replace(/\n$/, '');
    const backend = new SshBackend({ ...options, root });
    return ok({
      backend,
      commands: { folder: root, terminal: (stdin) => backend.terminal(stdin) },
      check: async () => {
        const alive = await askFor(backend, host, `cd ${quote(root)} || exit ${NO_FOLDER}`);
        if (!alive.ok) return alive;
        return alive.value.exitCode === 0 ? ok({}) : fail('not_found', 'place_folder_gone', { folder });
      },
      close: () => backend.close(),
    });
  },
};

/** `~` is the home folder there; everything else is taken literally. */
function placeOf(folder: string): string {
  if (folder === '' || folder === '~') return '"$HOME"';
  return folder.startsWith('~/') ? `"$HOME"/${quote(folder.slice(2))}` : quote(folder);
}

/** A name of the person's OpenSSH configuration, `user@host`, or an address. No option and no shell syntax. */
const isHost = (host: string): boolean => /^(ssh:\/\/)?[A-Za-z0-9_][A-Za-z0-9_.@:[\]-]*$/.test(host);

async function askFor(
  backend: SshBackend,
  host: string,
  command: string,
): Promise<Result<{ output: string; exitCode: number | null }>> {
  try {
    return ok(await backend.probe(command));
  } catch (thrown) {
    if (thrown instanceof SshError) return refusal(host, thrown.problem);
    throw thrown;
  }
}

function refusal(host: string, problem: SshProblem) {
  switch (problem.kind) {
    case 'host-key-unknown':
      return fail('denied', 'place_host_unknown', { host, fingerprint: problem.fingerprint });
    case 'host-key-changed':
      return fail('denied', 'place_host_changed', { host }, problem.text);
    case 'denied':
      return fail('denied', 'place_ssh_denied', { host }, problem.text);
    case 'no-program':
      return fail('unsupported', 'place_ssh_missing', {}, problem.text);
    case 'unreachable':
      return fail('network', 'place_unreachable', { host }, problem.text);
    default:
      return problem satisfies never;
  }
}
