import { Approval, Decision } from '../approvals';
import { ApprovalId, CallId } from '../ids';
import { threadEvent } from '../thread-event';

export const approvalEvents = [
  threadEvent('approval.requested', { approval: Approval }),
  threadEvent('approval.decided', { approvalId: ApprovalId, callId: CallId, decision: Decision }),
  /** The question no longer applies: the turn was stopped or another message replaced it. */
  threadEvent('approval.withdrawn', { approvalId: ApprovalId, callId: CallId }),
] as const;
