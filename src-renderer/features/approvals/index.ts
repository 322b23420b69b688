export { ApprovalCard } from './approval-card';
export { ApprovalDeck } from './approval-deck';
export { focusApproval } from './focus-approval';
export { headingOf } from './heading';
export { HostRules } from './host-rules';
export { ModeChoice } from './mode-choice';
export { ModeOffer } from './mode-offer';
export { ModeSwitch, tightenMode } from './mode-switch';
export { RulesSection } from './rules-section';
