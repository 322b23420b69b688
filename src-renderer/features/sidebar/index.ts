export {
  addFolder,
  deleteThreads,
  duplicateThread,
  exportThread,
  importThread,
  markThreads,
  newThread,
  revealProject,
} from './actions';
export { groupThreads } from './groups';
export { MissingFolder } from './missing-folder';
export { Sidebar } from './sidebar';
