export { canRehearse } from './detect';
export { keep } from './keep';
export { discard, sizeOfLayers, sweep } from './layers';
export { readManifest } from './manifest';
export { prepareLayer } from './prepare';
export { recoverKeeps } from './recover';
export { conflictsIn, readChange, rowsOf } from './rows';
export { inShell, rehearse } from './run';
export * from './shapes';
