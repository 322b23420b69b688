import { randomBytes } from 'node:crypto';
import type { CommandSandbox, EnteredSandbox, SandboxReport } from '../protocol';
import { sweepOf, terminalCommand } from './remote-command';
import { SSH_FAILED, type SshConnection, SshError } from './ssh-connection';

export interface SshTerminalOptions {
  connection: SshConnection;
  /** Runs a command beside the terminal's. Rejects with `SshError`. */
  probe(command: string): Promise<unknown>;
  /** The machine as the person knows it. */
  machine: string;
  /** The folder there that commands start in. Absolute. */
  root: string;
}

/**
 * Runs a terminal's commands on another machine: what the person types goes there, and a stop leaves no process behind
 * there. The connection must exist: the terminal's own program can neither make one nor answer its questions.
 */
export function sshTerminal(
  { connection, probe, machine, root }: SshTerminalOptions,
  stdin: () => 'person' | 'closed',
): CommandSandbox {
  return {
    enter: async (): Promise<EnteredSandbox> => {
      const mark = randomBytes(8).toString('hex');
      const open = await connection.terminal();
      return {
        elsewhere: { machine, folder: root },
        wrap: ({ args }) => open(terminalCommand(args.at(-1) ?? '', { root, mark, stdin: stdin() })),
        leave: async ({ exitCode }): Promise<SandboxReport> => {
          const isSwept = await probe(sweepOf(mark)).then(
            () => true,
            (error: unknown) => {
              if (error instanceof SshError) return false;
              throw error;
            },
          );
          return { refused: [], note: noteOn(machine, exitCode === SSH_FAILED, isSwept) };
        },
      };
    },
  };
}

function noteOn(machine: string, isCut: boolean, isSwept: boolean): string | null {
  if (!isCut && isSwept) return null;
  const what = isCut
    ? `[The connection to ${machine} was lost, so how the command ended is unknown.`
    : `[The connection to ${machine} was lost after the command.`;
  const then = isSwept
    ? 'It is there again, and the processes of the command were ended. Look at what it did before you repeat it.]'
    : 'Its processes there are ended when that machine notices it.]';
  return `${what} ${then}`;
}
