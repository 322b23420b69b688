export { Conversation } from './conversation';
export { hasDraft, moveDraft } from './drafts';
export { forgetSaid, threadsInHistory } from './sent-history';
