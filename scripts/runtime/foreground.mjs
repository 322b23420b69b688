// Runs the program that a script is there for: same streams, same signals, same exit code.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';

const FORWARDED = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);

/**
 * Runs a program to its end with this process's own streams. The code is the program's, or 128 and the signal's number
 * when a signal ended it, as shells count.
 * @param {string} command
 * @param {string[]} args
 * @param {{ env: Record<string, string>, cwd?: string }} options
 * @returns {Promise<number>}
 */
export function foreground(command, args, { env, cwd }) {
  return new Promise((done, failed) => {
    const child = spawn(command, args, { stdio: 'inherit', env, cwd });
    const onTerminal = [process.stdin, process.stdout, process.stderr].some((stream) => stream.isTTY);
    /** @param {NodeJS.Signals} signal */
    const forward = (signal) => {
      // Ctrl-C in a terminal reaches the child by itself; sent twice it would mean "at once, without saving".
      if (signal !== 'SIGINT' || !onTerminal) child.kill(signal);
    };
    for (const signal of FORWARDED) process.on(signal, forward);
    const ended = () => {
      for (const signal of FORWARDED) process.off(signal, forward);
    };
    child.on('error', (error) => {
      ended();
      failed(error);
    });
    child.on('close', (code, signal) => {
      ended();
      done(code ?? 128 + (signal ? constants.signals[signal] : 0));
    });
  });
}

/**
 * Ends the process with what `work` answers; a failure it explains is one line on stderr and the given code.
 * @param {() => Promise<number>} work
 * @param {number} [failureCode]
 */
export async function exitWith(work, failureCode = 1) {
  try {
    process.exitCode = await work();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = failureCode;
  }
}
