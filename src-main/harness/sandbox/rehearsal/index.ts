/**
 * Runs a command on Linux in a throwaway layer over a folder (overlayfs). Its changes can then be shown, and kept or discarded.
 * `canRehearse` tells whether a folder allows that, `rehearse` runs the command, `keep` applies changes and `discard` drops
 * them. Call `recoverKeeps` at startup.
 *
 * @module
 */

export { chosenChanges } from './choose';
export { canRehearse } from './detect';
export { isApplying } from './journal';
export { keep } from './keep';
export { discard, sweep } from './layers';
export { DEFAULT_LIMITS } from './limits';
export { readManifest } from './manifest';
export { prepareLayer } from './prepare';
export { recoverKeeps } from './recover';
export { conflictsIn, readChange, rowsOf } from './rows';
export { inShell, rehearse } from './run';
export * from './shapes';
