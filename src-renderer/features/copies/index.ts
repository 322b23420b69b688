export { CopyPanel } from './copy-panel';
export { CopyStart } from './copy-start';
