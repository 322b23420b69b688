export { GitPanel } from './git-panel';
