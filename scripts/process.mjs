// Running other programs: packages' own bins without a shell, with output kept or passed through.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** The repository's root folder, absolute. */
export const root = resolve(import.meta.dirname, '..');

/**
 * The script behind a package's bin, absolute. Run it with process.execPath: node_modules/.bin holds .cmd files on
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
 * @property {NodeJS.ProcessEnv} [env] the whole environment; process.env when left out
 * @property {string} [cwd] the repository's root when left out
 * @property {boolean} [show] true passes the output through; else it is kept and returned
 * @property {number} [timeout] milliseconds, after which the program is killed
 *
 * @typedef {{ code: number, stdout: string, stderr: string, output: string }} Ran
 * `code` is 128 when a signal ended the program and 127 when it could not be started; `output` is both streams as they came.
 */

/**
 * Runs a program to its end; a failing program is a `code`, not an exception.
 * @param {string} command
 * @param {string[]} args
 * @param {RunOptions} [options]
 * @returns {Promise<Ran>}
 */
export function run(command, args, { env = process.env, cwd = root, show = false, timeout } = {}) {
  return new Promise((done) => {
    const child = spawn(command, args, {
      cwd,
      env,
      stdio: ['ignore', show ? 'inherit' : 'pipe', show ? 'inherit' : 'pipe'],
      ...(timeout === undefined ? {} : { timeout, killSignal: 'SIGKILL' }),
    });
    const kept = { stdout: '', stderr: '', output: '' };
    child.stdout?.setEncoding('utf8').on('data', (text) => {
      kept.stdout += text;
      kept.output += text;
    });
    child.stderr?.setEncoding('utf8').on('data', (text) => {
      kept.stderr += text;
      kept.output += text;
    });
    child.on('error', (error) => done({ ...kept, code: 127, output: `${kept.output}${error.message}\n` }));
    child.on('close', (code) => done({ ...kept, code: code ?? 128 }));
  });
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
