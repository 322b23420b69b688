export { type Difference, Differences } from './differences';
export { makeCopy } from './make';
export { measureCopy } from './measure';
export { textOf } from './merge';
export type { Seen } from './states';
