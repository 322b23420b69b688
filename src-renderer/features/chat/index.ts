export { Conversation } from './conversation';
export { hasDraft, moveDraft } from './drafts';
