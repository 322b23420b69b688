import { randomBytes } from 'node:crypto';
import { textOfPath } from '../../../base/path-names';
import type { CommandSandbox, Elsewhere, EnteredSandbox, SandboxReport } from '../commands';
import { hangUpOf, processesOf, programsIn, shellCommand, sweepOf, terminalCommand } from './remote-command';
import { RemoteError, type RemoteTransport } from './remote-transport';

/** The status of a local program that lost its connection; a command's own 255 becomes 254. */
const CUT = 255;
/** Milliseconds that the end of a command waits until its processes are ended there; less if somebody waits for its stop. */
const SWEEP_LIMIT = 20_000;
const STOP_LIMIT = 800;

export interface RemoteTerminalOptions {
  transport: RemoteTransport;
  /** Runs a command while the terminal's runs. Rejects with `RemoteError`. */
  probe(command: string): Promise<{ output: string }>;
  /** The folder there that commands start in. Absolute. */
  root: string;
}

/**
 * Runs a terminal's commands on another machine: what the person types goes there, and a stop leaves no process behind
 * there. The connection must exist: the terminal's own program can neither make one nor answer its questions.
 */
export function remoteTerminal(
  { transport, probe, root }: RemoteTerminalOptions,
  stdin: () => 'person' | 'closed',
): CommandSandbox {
  const machine = transport.name;
  return {
    enter: async (): Promise<EnteredSandbox> => {
      const mark = randomBytes(8).toString('hex');
      const open = await transport.terminal();
      return {
        elsewhere: { machine, folder: root },
        wrap: ({ args }) => open(terminalCommand(args.at(-1) ?? '', { root, mark, stdin: stdin() })),
        leave: async ({ exitCode, output }): Promise<SandboxReport> => {
          const unstarted = exitCode === CUT ? transport.unstarted(output) : null;
          if (unstarted !== null) return { refused: [], note: `[Nothing was run. ${unstarted}]` };
          // It goes on after its limit: a machine that answers late still ends them.
          const sweep = probe(sweepOf(mark)).then(
            () => true,
            (error: unknown) => {
              if (error instanceof RemoteError) return false;
              throw error;
            },
          );
          const isStopped = exitCode == null;
          const isSwept = await within(isStopped ? STOP_LIMIT : SWEEP_LIMIT, sweep);
          if (!isSwept && isStopped) return { refused: [], note: notConfirmed(machine) };
          return { refused: [], note: noteOn(machine, exitCode === CUT, isSwept) };
        },
      };
    },
  };
}

/** A person's shell on another machine. */
export interface RemoteShell {
  /** Runs it in a terminal of this machine. */
  program: { file: string; args: string[] };
  /** The machine and its folder. */
  elsewhere: Elsewhere;
  /** Names of the programs that run in it, without the shell. Empty if that machine does not tell. Never rejects for that. */
  programs(): Promise<string[]>;
  /** Call it once the shell has exited. Never rejects for a lost connection. */
  leave(): Promise<void>;
}

/** The person's login shell there. `folder`: where it starts; default: `root`. The connection must exist. */
export async function remoteShell(
  { transport, probe, root }: RemoteTerminalOptions,
  folder = textOfPath(root),
): Promise<RemoteShell> {
  const mark = randomBytes(8).toString('hex');
  const open = await transport.terminal();
  return {
    program: open(shellCommand({ root, folder, mark })),
    elsewhere: { machine: transport.name, folder },
    programs: async () => {
      const printed = await probe(processesOf(mark)).catch((error: unknown) => {
        if (error instanceof RemoteError) return null;
        throw error;
      });
      return printed === null ? [] : programsIn(printed.output);
    },
    leave: async () => {
      await probe(hangUpOf(mark)).catch((error: unknown) => {
        if (!(error instanceof RemoteError)) throw error;
      });
    },
  };
}

/** Whether it was done in time. */
async function within(limit: number, work: Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), limit);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

const notConfirmed = (machine: string): string =>
  `[${machine} has not confirmed yet that the processes of the command were ended.]`;

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
