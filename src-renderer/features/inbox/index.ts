export { InboxButton } from './inbox-button';
export { InboxPanel } from './inbox-panel';
