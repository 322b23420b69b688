export { FileTabs } from './file-tabs';
export { FileViewer, type FileViewerHandle } from './file-viewer';
export { FilesPanel } from './files-panel';
export { QuickOpen } from './quick-open';
export { useFollow } from './use-follow';
