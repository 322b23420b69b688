export { ApprovalCard, focusApproval } from './approval-card';
export { headingOf } from './heading';
export { HostRules } from './host-rules';
export { ModeSwitch, tightenMode } from './mode-switch';
export { RulesSection } from './rules-section';
