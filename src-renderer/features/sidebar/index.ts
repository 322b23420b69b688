export { newThread } from './actions';
export { Sidebar } from './sidebar';
