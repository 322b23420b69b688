import type { Approval, Decision } from '../../contract/approvals';

/** The decision that allows a call, or keeps what its command did. */
export const allowing = ({ outcome }: Approval): Decision =>
  outcome === undefined ? { type: 'approve' } : { type: 'keep', manifest: outcome.manifest };
