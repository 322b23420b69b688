export { HooksSection } from './hooks-section';
