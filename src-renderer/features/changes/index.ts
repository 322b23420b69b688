export { ChangesPanel } from './changes-panel';
export { takeBack } from './revert';
export { RevertQuestion } from './revert-question';
