export { useApp, usePort, useThread, useThreadError } from './hooks';
export {
  onIntent,
  openFile,
  openSettings,
  openThread,
  restoreTo,
  type SettingsSection,
  showTerminal,
  takeJump,
  toast,
} from './intent';
export { awaitPort } from './port';
export { call, loadEarlier, onHostEvent, start } from './store';
