export { hasDraft, moveDraft } from './composer/drafts';
export { forgetSaid, threadsInHistory } from './composer/sent-history';
export { Conversation } from './conversation';
