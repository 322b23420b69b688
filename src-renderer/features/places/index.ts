export { PlacesSection } from './places-section';
export { RemoteProjectDialog } from './remote-project-dialog';
