import { fail } from '../../contract/result';
import { SshBackend } from '../../harness/backends/ssh/ssh-backend';
import { SshError, type SshProblem } from '../../harness/backends/ssh/ssh-connection';
import type { PlaceKindModule } from './place-kind';
import { connectRemote } from './remote';

/** A folder on another machine, over the person's OpenSSH. */
export const sshPlace: PlaceKindModule<'ssh'> = {
  connect: async ({ host, folder, hostKeys }, { secret, signal, knownHosts, env }) => {
    if (!isHost(host)) return fail('invalid', 'place_ssh_host', { host });
    const options = { host, hostKeys, knownHosts, secret, env };
    return connectRemote({
      folder,
      signal,
      open: (root) => new SshBackend(root === undefined ? options : { ...options, root }),
      refusal: (error) => {
        if (error instanceof SshError) return refusal(host, error.problem);
        throw error;
      },
    });
  },
};

/** A name of the person's OpenSSH configuration, `user@host`, or an address. No option and no shell syntax. */
const isHost = (host: string): boolean => /^(ssh:\/\/)?[A-Za-z0-9_][A-Za-z0-9_.@:[\]-]*$/.test(host);

function refusal(host: string, problem: SshProblem) {
  switch (problem.kind) {
    case 'host-key-unknown':
      return fail('denied', 'place_host_unknown', { host, fingerprint: problem.fingerprint });
    case 'jump-key-unknown': {
      const { jumpHost, fingerprint } = problem;
      return fail('denied', 'place_jump_unknown', { host: jumpHost, key: fingerprint });
    }
    case 'jump-secret':
      return fail('denied', 'place_jump_password', { question: problem.question });
    case 'host-key-changed':
      return fail('denied', 'place_host_changed', { host }, problem.text);
    case 'denied':
      return fail('denied', 'place_ssh_denied', { host }, problem.text);
    case 'no-shell':
      return fail('denied', 'place_ssh_no_shell', { host }, problem.text);
    case 'no-program':
      return fail('unsupported', 'place_ssh_missing', {}, problem.text);
    case 'unreachable':
      return fail('network', 'place_unreachable', { host }, problem.text);
    default:
      return problem satisfies never;
  }
}
