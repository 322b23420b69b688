export { ChangesPanel } from './changes-panel';
export { RevertQuestion } from './revert-question';
export { takeBack } from './take-back';
