/**
 * Runs a command on Linux in a throwaway layer over a folder (overlayfs). Its changes can then be shown, and kept or discarded.
 * `canRehearse` tells whether a folder allows that, `rehearse` runs the command, `keep` applies changes and `discard` drops
 * them. Call `recoverKeeps` at startup.
 *
 * @module
 */

export { chosenChanges } from './keep/choose';
export { isApplying } from './keep/journal';
export { keep } from './keep/keep';
export { recoverKeeps } from './keep/recover';
export { conflictsIn, readChange, rowsOf } from './keep/rows';
export { discard, sweep } from './layer/layers';
export { readManifest } from './layer/manifest';
export { prepareLayer } from './layer/prepare';
export * from './layer/shapes';
export { canRehearse } from './run/detect';
export { DEFAULT_LIMITS } from './run/limits';
export { inShell, rehearse } from './run/run';
