// Runs other programs: package bins without a shell, with captured or passed-through output.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { atExit } from './runtime/at-exit.mjs';

/** The repository's root folder, absolute. */
export const root = resolve(import.meta.dirname, '..');

/**
 * The absolute path of the script behind a package bin. Run it with process.execPath: node_modules/.bin has .cmd files on
 * Windows, which need a shell.
 * @param {string} name of the package
 * @param {string} [bin] of the command, when the package has several
 */
export function packageBin(name, bin = name) {
  const file = join(root, 'node_modules', name, 'package.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8'));
  const target = typeof manifest.bin === 'string' ? manifest.bin : manifest.bin?.[bin];
  if (typeof target !== 'string') throw new Error(`the package ${name} has no bin named ${bin}`);
  return join(dirname(file), target);
}

/**
 * @typedef {object} RunOptions
 * @property {NodeJS.ProcessEnv} [env] the whole environment; default: process.env
 * @property {string} [cwd] default: the repository's root
 * @property {boolean} [show] true passes the output through; otherwise it is captured and returned
 * @property {(line: string) => void} [onLine] called for each line of both streams; the output is still captured
 * @property {number} [timeout] milliseconds, after which the program is killed
 * @property {boolean} [outlives] true lets it finish if this process exits first
 *
 * @typedef {{ code: number, stdout: string, stderr: string, output: string }} Ran
 * `code` is 128 if a signal killed the program and 127 if it could not start; `output` is both streams in order of arrival.
 */

/**
 * Runs a program until it exits; a failing program is a `code`, not an exception.
 * @param {string} command
 * @param {string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<Ran>}
 */
export function run(
  command,
  args,
  { env = process.env, cwd = root, show = false, onLine, timeout, outlives = false } = {},
) {
  return new Promise((done) => {
    const child = spawn(command, args, {
      cwd,
      env,
      stdio: ['ignore', show ? 'inherit' : 'pipe', show ? 'inherit' : 'pipe'],
      ...(timeout === undefined ? {} : { timeout, killSignal: 'SIGKILL' }),
    });
    const forget = outlives ? () => undefined : atExit(() => child.kill());
    const kept = { stdout: '', stderr: '', output: '' };
    if (onLine) for (const stream of [child.stdout, child.stderr]) if (stream) eachLine(stream, onLine);
    child.stdout?.setEncoding('utf8').on('data', (text) => {
      kept.stdout += text;
      kept.output += text;
    });
    child.stderr?.setEncoding('utf8').on('data', (text) => {
      kept.stderr += text;
      kept.output += text;
    });
    child.on('error', (error) => {
      forget();
      done({ ...kept, code: 127, output: `${kept.output}${error.message}\n` });
    });
    child.on('close', (code) => {
      forget();
      done({ ...kept, code: code ?? 128 });
    });
  });
}

/** @param {import('node:stream').Readable} stream @param {(line: string) => void} onLine */
function eachLine(stream, onLine) {
  createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY }).on('line', onLine);
}

/**
 * Runs a package's bin with this Node.
 * @param {string | [name: string, bin: string]} bin
 * @param {string[]} args
 * @param {RunOptions} [options]
 */
export function runBin(bin, args, options) {
  const file = typeof bin === 'string' ? packageBin(bin) : packageBin(bin[0], bin[1]);
  return run(process.execPath, [file, ...args], options);
}
