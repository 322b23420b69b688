import type { ChildProcess } from 'node:child_process';

/** The other side was not reached, before any command ran. */
export abstract class RemoteError extends Error {
  /** `denied`: it was reached and does not let us in. */
  abstract readonly kind: 'denied' | 'network';
  /** How it would be reached, as in `no SSH connection`. */
  abstract readonly way: string;
}

/** A way to run shell commands on another machine or in a container. */
export interface RemoteTransport {
  readonly id: string;
  /** The other side as the person knows it. */
  readonly name: string;
  /** Runs a script in the other side's `sh`. Its input and output are pipes. */
  start(script: string): Promise<ChildProcess>;
  /**
   * The program for a script in `sh` with a terminal on the other side. It only uses a connection that exists, so it gets no
   * secret.
   */
  terminal(): Promise<(script: string) => { file: string; args: string[] }>;
  /**
   * Why a terminal's program never started its script, from all that it printed; null if the script may have run. The text says
   * what to do.
   */
  unstarted(printed: string): string | null;
  /** Why the other side was not reached, from what the local program ended with; null if the command itself ended so. */
  failure(exitCode: number | null, stderr: string): Promise<RemoteError | null>;
  /** The script did not start, although the other side was reached. `printed`: what came instead of its output. */
  unable(printed: string): RemoteError;
  /** The local program did not start. */
  missing(why: Error): RemoteError;
  /** Ends the connection and the commands in it. A later command connects again. */
  drop(): Promise<void>;
  /** Like `drop`, but for good: nothing is started afterwards. */
  close(): Promise<void>;
}
