export { RoutinesDialog } from './routines-dialog';
export { RoutinesPage } from './routines-page';
export { SidebarRoutines } from './sidebar-routines';
