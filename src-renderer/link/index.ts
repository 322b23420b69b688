export { useApp, usePort, useThread, useThreadError } from './hooks';
export {
  onIntent,
  openFile,
  openSettings,
  openThread,
  restoreTo,
  type SettingsSection,
  showTerminal,
  toast,
} from './intent';
export { awaitPort } from './port';
export { call, onHostEvent, start } from './store';
