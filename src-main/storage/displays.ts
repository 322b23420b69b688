import type { Approval } from '../contract/approvals';
import type { Message } from '../contract/conversation';
import { optional } from '../contract/shared/optional';
import { displayOf } from '../harness/tools/catalogue';

/** The catalogue defines how calls are displayed. A saved message may lack that, or have another one. */
export function withDisplays(message: Message): Message {
  if (message.role !== 'agent') return message;
  const calls = message.calls.map(({ display: _, ...call }) => ({
    ...call,
    ...optional({ display: displayOf(call.name) }),
  }));
  return { ...message, calls };
}

export const withDisplay = ({ display: _, ...approval }: Approval): Approval => ({
  ...approval,
  ...optional({ display: displayOf(approval.tool) }),
});
