export { Conversation } from './conversation';
export { hasDraft } from './drafts';
