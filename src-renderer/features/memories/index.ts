export { MemoriesPanel } from './memories-panel';
