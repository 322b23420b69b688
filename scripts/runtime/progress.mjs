// The progress of a long step: one updating line on a terminal, an occasional line in a log.
import { log } from '../log.mjs';

const isTerminal = () => Boolean(process.stderr.isTTY);
const megabytes = (/** @type {number} */ bytes) => Math.round(bytes / 1_000_000);

/** The share of the whole between two lines in a log. */
const STEP = 0.25;

/**
 * Reports the progress of a download.
 * @param {string} subject as of `log`
 * @param {string} what
 * @param {number} total bytes
 * @returns {(bytes: number) => void}
 */
export function percent(subject, what, total) {
  let told = 0;
  let shown = '';
  return (bytes) => {
    // Files unpacked or copied beside it must not exceed 100 %.
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

/** Milliseconds between progress messages. */
const STILL = 15_000;

/**
 * Reports periodically that a step without a measure is still running.
 * @param {string} subject
 * @param {string} text
 * @returns {() => void} stops it
 */
export function stillAt(subject, text) {
  const began = Date.now();
  const timer = setInterval(
    () => log(subject, `${text} (${Math.round((Date.now() - began) / 1000)} s)`),
    STILL,
  );
  timer.unref();
  return () => clearInterval(timer);
}
