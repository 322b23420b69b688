export {
  addFolder,
  deleteThread,
  duplicateThread,
  exportThread,
  importThread,
  markThread,
  newThread,
  reattachProject,
  revealProject,
} from './actions';
export { groupThreads } from './groups';
export { MissingFolder } from './missing-folder';
export { Sidebar } from './sidebar';
