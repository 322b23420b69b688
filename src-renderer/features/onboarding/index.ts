export { Start, useEndOfFirstRun } from './start';
