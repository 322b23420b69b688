// Runs the main program of a script: same streams, same signals, same exit code.
import { spawn } from 'node:child_process';
import { codeOf, ENDING, endOnSignals, takeSignals } from './at-exit.mjs';
import { isOnPath } from './system-packages.mjs';

/**
 * Runs a program with this process's streams until it exits. The code is the program's, or 128 plus the signal number if a signal
 * killed it, as in shells.
 * @param {string} command
 * @param {string[]} args
 * @param {object} options
 * @param {Record<string, string>} options.env
 * @param {string} [options.cwd]
 * @param {number} [options.interruptedCode] for a signal that a person or the system ends programs with
 * @returns {Promise<number>}
 */
export function foreground(command, args, { env, cwd, interruptedCode }) {
  return new Promise((done, failed) => {
    const child = spawn(command, args, { stdio: 'inherit', env, cwd });
    const onTerminal = [process.stdin, process.stdout, process.stderr].some((stream) => stream.isTTY);
    const giveBack = takeSignals((signal) => {
      // Ctrl-C in a terminal reaches the child directly; a second signal would mean "exit now, without saving".
      if (signal !== 'SIGINT' || !onTerminal) child.kill(signal);
    });
    child.on('error', (error) => {
      giveBack();
      failed(error);
    });
    child.on('close', (code, signal) => {
      giveBack();
      const isEnding = ENDING.some((one) => one === signal);
      done(code ?? (isEnding ? interruptedCode : undefined) ?? codeOf(signal ?? 'SIGKILL'));
    });
  });
}

/** Milliseconds that a window app may take to exit; it normally exits sooner. */
const END_WITHIN = 2_900;
/** Milliseconds after an app exits in which its last output may still arrive. */
const LAST_WORDS_WITHIN = 500;

/** @param {import('node:child_process').ChildProcess} child @param {boolean} apart it leads a separate group */
function endGroup(child, apart) {
  try {
    if (apart && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    else child.kill('SIGKILL');
  } catch {
    // It has exited.
  }
}

/**
 * Like `foreground`, for an app with windows. A signal to the whole group of this script (`timeout`, a closed terminal,
 * Ctrl-C) does not reach the app's processes directly, because it would kill its helpers first. Only the app gets it, once,
 * and saves its data. It exits within three seconds.
 * @param {string} command
 * @param {string[]} args
 * @param {object} options
 * @param {Record<string, string>} options.env
 * @param {(stream: import('node:stream').Readable) => void} options.onErrors receives the app's standard error
 * @returns {Promise<{ code: number, signal: NodeJS.Signals | null }>} `code` as in `foreground`
 */
export function windowApp(command, args, { env, onErrors }) {
  return new Promise((done, failed) => {
    const apart = process.platform !== 'win32';
    // With setpriv the app exits even if this script is killed before it can forward the signal.
    const [program, ...words] =
      process.platform === 'linux' && isOnPath('setpriv')
        ? ['setpriv', '--pdeathsig', 'TERM', command, ...args]
        : [command, ...args];
    const child = spawn(/** @type {string} */ (program), words, {
      stdio: ['inherit', 'inherit', 'pipe'],
      env,
      detached: apart,
    });
    onErrors(/** @type {import('node:stream').Readable} */ (child.stderr));
    /** @type {NodeJS.Timeout | undefined} */
    let late;
    const end = (/** @type {NodeJS.Signals} */ signal) => {
      child.kill(signal);
      late ??= setTimeout(() => {
        endGroup(child, apart);
      }, END_WITHIN);
    };
    const giveBack = takeSignals(end);
    const ended = () => {
      giveBack();
      clearTimeout(late);
    };
    child.on('error', (error) => {
      ended();
      failed(error);
    });
    child.on('exit', (code, signal) => {
      ended();
      const answer = () => done({ code: code ?? codeOf(signal ?? 'SIGKILL'), signal });
      child.once('close', answer);
      // A program that the app left running may keep its streams open.
      setTimeout(() => child.stderr?.destroy(), LAST_WORDS_WITHIN).unref();
    });
  });
}

/**
 * Exits with the result of `work`. An explained failure prints one line to stderr and exits with the given code.
 * @param {() => Promise<number>} work
 * @param {number} [failureCode]
 * @param {number} [interruptedCode] for a signal before `work` takes it; default: as in shells
 */
export async function exitWith(work, failureCode = 1, interruptedCode) {
  endOnSignals();
  if (interruptedCode !== undefined) takeSignals(() => process.exit(interruptedCode));
  try {
    process.exitCode = await work();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = failureCode;
  }
}
