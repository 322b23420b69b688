export { useApp, usePort, useThread, useThreadError } from './hooks';
export {
  onIntent,
  openFile,
  openSettings,
  openThread,
  type SettingsSection,
  showTerminal,
  toast,
} from './intent';
export { awaitPort } from './port';
export { call, onHostEvent, start } from './store';
