import type { ToolDescriptor } from '../descriptor';

export const askUser = {
  name: 'ask_user',
  effect: 'asks',
  display: 'ask',
  offloadsResult: false,
  resultIsOwn: true,
} as const satisfies ToolDescriptor;
