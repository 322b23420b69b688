// How far a long step is: one line that changes on a terminal, a line now and then in a log.
import { log } from '../log.mjs';

const isTerminal = () => Boolean(process.stderr.isTTY);
const megabytes = (/** @type {number} */ bytes) => Math.round(bytes / 1_000_000);

/** Of the whole, between two lines in a log. */
const STEP = 0.25;

/**
 * Tells how much of a download has come.
 * @param {string} subject as of `log`
 * @param {string} what
 * @param {number} total bytes
 * @returns {(bytes: number) => void}
 */
export function percent(subject, what, total) {
  let told = 0;
  let shown = '';
  return (bytes) => {
    // What is unpacked or copied beside it counts for no more than all.
    const part = Math.min(1, bytes / total);
    const text = `${Math.floor(part * 100)} % of ${what} (${megabytes(part * total)} of ${megabytes(total)} MB)`;
    if (part <= told || text === shown) return;
    if (isTerminal()) {
      process.stderr.write(`\r[${subject}] ${text}${part === 1 ? '\n' : ''}`);
      told = part;
      shown = text;
    } else if (part === 1 || part >= told + STEP) {
      log(subject, text);
      told = part;
    }
  };
}

/** Milliseconds between two signs of life. */
const STILL = 15_000;

/** Says now and then that a step without a measure goes on. @param {string} subject @param {string} text @returns {() => void} stops that */
export function stillAt(subject, text) {
  const began = Date.now();
  const timer = setInterval(
    () => log(subject, `${text} (${Math.round((Date.now() - began) / 1000)} s)`),
    STILL,
  );
  timer.unref();
  return () => clearInterval(timer);
}
