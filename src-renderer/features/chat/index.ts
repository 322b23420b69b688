export { Conversation } from './conversation';
