/**
 * `@deepdesk/harness/ssh`: files and commands on another machine, over the system's OpenSSH client.
 *
 * @module
 */

export type { RemoteShell } from '../backends/remote/remote-terminal';
export { SshBackend, type SshBackendOptions } from '../backends/ssh/ssh-backend';
export { SshError, type SshProblem } from '../backends/ssh/ssh-connection';
