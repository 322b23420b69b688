import type { Approval } from '@contract/approvals';
import { forgetKept, useKept } from '../../ui';

/** A call that asks again with other arguments is another card. */
const cardOf = ({ threadId, id, digest }: Approval): string => `card ${threadId}/${id}/${digest}`;

/** Called after a decision. */
export const forgetInput = (approval: Approval): void => forgetKept(cardOf(approval));

/** One field of a card, which stays while another card or another thread is shown. */
export const useKeptInput = <T>(
  approval: Approval,
  field: string,
  initial: () => T,
): [T, (next: (before: T) => T) => void] => useKept(cardOf(approval), field, initial);
