export {
  addFolder,
  deleteThread,
  duplicateThread,
  exportThread,
  importThread,
  markThread,
  newThread,
  revealProject,
} from './actions';
export { groupThreads } from './groups';
export { MissingFolder } from './missing-folder';
export { Sidebar } from './sidebar';
