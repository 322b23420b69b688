export { FileViewer } from './file-viewer';
export { FilesPanel } from './files-panel';
