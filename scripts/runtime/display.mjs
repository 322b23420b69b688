// A display for machines without one: Xvfb, which exits with the script that started it.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { log } from '../log.mjs';
import { atExit } from './at-exit.mjs';
import { isOnPath } from './system-packages.mjs';

/**
 * @typedef {object} Display
 * @property {Record<string, string>} env what a program needs to draw on it; empty on the person's own display
 * @property {() => void} stop
 * @property {() => boolean} isGone whether a display that was started here exited unexpectedly
 */

/** Milliseconds for Xvfb to report its display; it takes 0.1 s on an idle machine. */
const READY_WITHIN = 30_000;
const SCREEN = '1600x1000x24';

export function needsDisplay() {
  return process.platform === 'linux' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY;
}

/**
 * Writes an Xauthority file with one cookie for every display (family wild, no address, no number), before Xvfb has chosen
 * its number. Without a cookie Xvfb accepts only the user who started it, and a test started by root runs the app as another
 * user.
 */
function xauthority() {
  const field = (/** @type {Buffer} */ body) => {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(body.length);
    return Buffer.concat([length, body]);
  };
  const familyWild = Buffer.from([0xff, 0xff]);
  const none = field(Buffer.alloc(0));
  return Buffer.concat([
    familyWild,
    none,
    none,
    field(Buffer.from('MIT-MAGIC-COOKIE-1')),
    field(randomBytes(16)),
  ]);
}

/** Starts Xvfb on a free display number. @returns {Promise<Display>} */
export async function startXvfb() {
  const folder = mkdtempSync(join(tmpdir(), 'deepdesk-display-'));
  const authority = join(folder, 'Xauthority');
  writeFileSync(authority, xauthority(), { mode: 0o600 });
  const args = ['-displayfd', '3', '-screen', '0', SCREEN, '-nolisten', 'tcp', '-auth', authority];
  // With setpriv, Xvfb exits even if this script is killed before it can stop it.
  const [program, ...words] = isOnPath('setpriv')
    ? ['setpriv', '--pdeathsig', 'TERM', 'Xvfb', ...args]
    : ['Xvfb', ...args];
  const xvfb = spawn(/** @type {string} */ (program), words, {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    // In a separate process group: a signal to this script's group must not remove the display from an app that is saving.
    detached: true,
  });

  const stop = () => {
    forget();
    xvfb.kill();
    rmSync(folder, { recursive: true, force: true });
  };
  const forget = atExit(stop);
  let said = '';
  xvfb.stderr?.setEncoding('utf8').on('data', (text) => {
    said = `${said}${text}`.slice(-2_000);
  });

  try {
    const number = await new Promise((ready, failed) => {
      const timer = setTimeout(() => failed(new Error('it did not answer')), READY_WITHIN);
      const fail = (/** @type {string} */ why) => {
        clearTimeout(timer);
        failed(new Error(`${why} ${said}`.trim()));
      };
      xvfb.on('error', (error) => fail(error.message));
      xvfb.on('exit', (code) => fail(`it ended with ${code}.`));
      const answer = /** @type {import('node:stream').Readable} */ (xvfb.stdio[3]);
      answer.setEncoding('utf8').once('data', (text) => {
        clearTimeout(timer);
        ready(text.trim());
      });
    });
    for (const stream of [xvfb.stderr, xvfb.stdio[3]]) {
      if (stream && 'unref' in stream && typeof stream.unref === 'function') stream.unref();
    }
    xvfb.unref();
    const isGone = () => xvfb.exitCode !== null || xvfb.signalCode !== null;
    return { env: { DISPLAY: `:${number}`, XAUTHORITY: authority }, stop, isGone };
  } catch (error) {
    stop();
    throw new Error(`Xvfb could not be started: ${error instanceof Error ? error.message : error}`);
  }
}

/** The person's display, or Xvfb if there is none. @returns {Promise<Display>} */
export async function display() {
  if (!needsDisplay()) return { env: {}, stop: () => undefined, isGone: () => false };
  const started = await startXvfb();
  log('display', `no display found: started Xvfb as ${started.env.DISPLAY}`);
  return started;
}
