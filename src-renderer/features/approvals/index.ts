export { ApprovalCard, focusApproval } from './approval-card';
