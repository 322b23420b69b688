import type { ToolDescriptor } from '../descriptor';

export const compactConversation = {
  name: 'compact_conversation',
  effect: 'thread',
  display: 'compact',
  offloadsResult: true,
  resultIsOwn: true,
} as const satisfies ToolDescriptor;
