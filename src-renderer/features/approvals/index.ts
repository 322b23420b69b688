export { ApprovalCard, focusApproval } from './approval-card';
export { ModeSwitch, tightenMode } from './mode-switch';
export { RulesSection } from './rules-section';
