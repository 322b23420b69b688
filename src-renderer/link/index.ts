export { useApp, usePort, useThread, useThreadError, useThreadPart } from './hooks';
export {
  type ActivityPlace,
  addToChat,
  closeFile,
  findInThread,
  KEEPS_FOCUS,
  onIntent,
  openActivity,
  openFile,
  openInbox,
  openSettings,
  openThread,
  openWindow,
  restoreTo,
  type SettingsSection,
  showTerminal,
  takeJump,
  toast,
} from './intent';
export { ProjectChoice, useProjectChoice } from './project-choice';
export { call, loadEarlier, onHostEvent, openState, speakErrors, start } from './store';
export { type UndoOffer, UndoOffers, useOfferUndo } from './undo-offer';
