import { createHash } from 'node:crypto';
import { ApprovalId } from '../../contract/ids';

/** The same approval has the same id, even after a restart; one for other bytes has a different id. */
export function approvalIdOf(threadId: string, callId: string, digest: string): ApprovalId {
  return ApprovalId.parse(
    createHash('sha256').update(`${threadId}\n${callId}\n${digest}`).digest('hex').slice(0, 32),
  );
}
