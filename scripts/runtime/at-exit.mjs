// What a script leaves behind is cleaned up whichever way it ends, a signal included; only a kill -9 leaves it.
import { readFileSync, rmSync } from 'node:fs';
import { constants } from 'node:os';

/** Signals by which a person or the system ends a script. */
const ENDING = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);

/** What a shell answers for a program that a signal ended. @param {NodeJS.Signals} signal */
export const codeOf = (signal) => 128 + constants.signals[signal];

/** @type {Set<() => void>} */
const undoing = new Set();

process.on('exit', () => {
  for (const undo of [...undoing].reverse()) {
    try {
      undo();
    } catch {
      // The rest counts too.
    }
  }
});

/**
 * Does `undo`, which must not wait, when the process ends.
 * @param {() => void} undo
 * @returns {() => void} forgets it
 */
export function atExit(undo) {
  undoing.add(undo);
  return () => void undoing.delete(undo);
}

/**
 * Removes a folder after `work`, or when the process ends before.
 * @template T
 * @param {string} folder
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function removedAfter(folder, work) {
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const forget = atExit(remove);
  try {
    return await work();
  } finally {
    forget();
    remove();
  }
}

/** @type {((signal: NodeJS.Signals) => void)[]} */
const handlers = [(signal) => process.exit(codeOf(signal))];
let isEnding = false;
/** @param {NodeJS.Signals} signal */
const onSignal = (signal) => {
  isEnding = true;
  handlers.at(-1)?.(signal);
};

/** Milliseconds between two looks at whether npm is still there. */
const LOOK_AT_NPM = 250;

/** @param {number} pid @param {string} name */
function ofProcess(pid, name) {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return undefined;
  }
}

/** The parent of another process; undefined where only our own is known. @param {number} pid */
function parentOf(pid) {
  const stat = ofProcess(pid, 'stat');
  // The name of a program may hold blanks and brackets; what follows the last bracket does not.
  return stat === undefined ? undefined : Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}

const shell = process.ppid;
const npm = parentOf(shell);

/**
 * npm starts a script by a shell. It passes on to that shell some signals, others it dies of, and the shell passes on none:
 * so whoever started us is watched, and who started them.
 */
function isOrphan() {
  if (process.ppid !== shell || parentOf(shell) !== npm) return true;
  // It was gone before we could look. In a container npm may be process 1 itself.
  return npm === 1 && !/npm|node|yarn|bun/.test(ofProcess(1, 'cmdline') ?? 'npm');
}

let isWatching = false;

/** From now on a signal ends this process in good order: what `atExit` was given is done. So does the end of npm. */
export function endOnSignals() {
  if (isWatching) return;
  isWatching = true;
  for (const signal of ENDING) process.on(signal, onSignal);
  if (process.env.npm_lifecycle_event === undefined || process.platform === 'win32') return;
  const timer = setInterval(() => {
    if (!isEnding && !isOrphan()) return;
    clearInterval(timer);
    // A signal for the whole group ends npm too: the app must not take that for a second one.
    if (!isEnding) onSignal('SIGTERM');
  }, LOOK_AT_NPM);
  timer.unref();
}

/**
 * Hands signals to `handle` instead.
 * @param {(signal: NodeJS.Signals) => void} handle
 * @returns {() => void} gives them back
 */
export function takeSignals(handle) {
  endOnSignals();
  handlers.push(handle);
  return () => void handlers.splice(handlers.lastIndexOf(handle), 1);
}
