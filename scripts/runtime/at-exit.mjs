// Cleans up after a script however it exits, including on signals; only kill -9 prevents it.
import { readFileSync, rmSync } from 'node:fs';
import { constants } from 'node:os';

/** Signals that a person or the system uses to terminate a script. */
export const ENDING = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);

/** The exit code of shells for a program killed by a signal. @param {NodeJS.Signals} signal */
export const codeOf = (signal) => 128 + constants.signals[signal];

/** @type {Set<() => void>} */
const undoing = new Set();

process.on('exit', () => {
  for (const undo of [...undoing].reverse()) {
    try {
      undo();
    } catch {
      // The remaining cleanups must run too.
    }
  }
});

/**
 * Calls `undo`, which must be synchronous, when the process exits.
 * @param {() => void} undo
 * @returns {() => void} cancels it
 */
export function atExit(undo) {
  undoing.add(undo);
  return () => void undoing.delete(undo);
}

/**
 * Removes a folder after `work`, or when the process exits earlier. @template T
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

/** Milliseconds between checks whether npm is still running. */
const LOOK_AT_NPM = 250;

/** @param {number} pid @param {string} name */
function ofProcess(pid, name) {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return undefined;
  }
}

/** The parent of another process. Without /proc only our own parent is known. @param {number} pid */
function parentOf(pid) {
  const stat = ofProcess(pid, 'stat');
  // A program name may contain spaces and parentheses; the text after the last parenthesis does not.
  return stat === undefined ? undefined : Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}

const shell = process.ppid;
const npm = parentOf(shell);

/**
 * npm starts a script through a shell. It forwards some signals to that shell and dies of others, and the shell forwards
 * none. So this watches our parent process and its parent.
 */
function isOrphan() {
  if (process.ppid !== shell || parentOf(shell) !== npm) return true;
  // It was gone before the first check. In a container npm may be process 1 itself.
  return npm === 1 && !/npm|node|yarn|bun/.test(ofProcess(1, 'cmdline') ?? 'npm');
}

let isWatching = false;

/** From now on a signal exits this process cleanly: the `atExit` callbacks run. So does the end of npm. */
export function endOnSignals() {
  if (isWatching) return;
  isWatching = true;
  for (const signal of ENDING) process.on(signal, onSignal);
  if (process.env.npm_lifecycle_event === undefined || process.platform === 'win32') return;
  const timer = setInterval(() => {
    if (!isEnding && !isOrphan()) return;
    clearInterval(timer);
    // A signal to the whole group kills npm too: the app must not take that for a second signal. Our own is here as well, but on a
    // busy computer the event loop may come to it only after its timers.
    setImmediate(() => {
      if (!isEnding) onSignal('SIGTERM');
    });
  }, LOOK_AT_NPM);
  timer.unref();
}

/**
 * Sends signals to `handle` instead.
 * @param {(signal: NodeJS.Signals) => void} handle
 * @returns {() => void} restores the default
 */
export function takeSignals(handle) {
  endOnSignals();
  handlers.push(handle);
  return () => void handlers.splice(handlers.lastIndexOf(handle), 1);
}
