export { ChangesPanel } from './changes-panel';
export { revertChanges } from './revert';
export { RevertQuestion } from './revert-question';
export { chooseSince } from './use-since';
