import type { ToolDescriptor } from '../descriptor';

export const task = {
  name: 'task',
  effect: 'delegates',
  display: 'delegate',
  offloadsResult: true,
  resultIsOwn: true,
} as const satisfies ToolDescriptor;
