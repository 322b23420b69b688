export { PlacesSection } from './places-section';
