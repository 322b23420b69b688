export {
  awaitsInput,
  useAnswered,
  useApp,
  useAwaitsInput,
  useJob,
  usePort,
  useThread,
  useThreadError,
  useThreadPart,
} from './hooks';
export {
  type ActivityPlace,
  addRemoteFolder,
  addToMessage,
  closeFile,
  findInThread,
  type Intent,
  KEEPS_FOCUS,
  onIntent,
  openActivity,
  openFile,
  openInbox,
  openRoutine,
  openSettings,
  openThread,
  openWindow,
  type RoutineShown,
  revert,
  type SettingsSection,
  showChanges,
  showTerminal,
  takeHit,
  takeJump,
  toast,
  toastUndo,
} from './intent';
export {
  forgetTexts,
  keepText,
  keptJson,
  keptKeys,
  keptKeysFrom,
  keptText,
  threadKey,
  threadsWithText,
} from './kept-text';
export { changedAt, locationOf } from './location';
export { mention } from './mention';
export { openLink } from './open-link';
export { noteRemoval, takeRemoval } from './own-removals';
export { ProjectChoice, useProjectChoice } from './project-choice';
export { ALL_PROJECTS, projectOf, scopeOptions } from './project-scope';
export { screenKey } from './screen';
export {
  call,
  keepScreen,
  loadEarlier,
  onHostEvent,
  openState,
  reopenThread,
  showLast,
  speakErrors,
  start,
} from './store';
export { type UndoOffer, UndoOffers, useOfferUndo } from './undo-offer';
export { lastIn, useAnswer, useList } from './use-answer';
export { useLiveAnswer } from './use-live-answer';
export { placesIn, usePlaces } from './use-places';
