export { addFolder, deleteThread, exportThread, importThread, newThread, revealProject } from './actions';
export { Sidebar } from './sidebar';
