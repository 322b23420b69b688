import type { ToolDescriptor } from '../descriptor';

export const writeTodos = {
  name: 'write_todos',
  effect: 'thread',
  display: 'plan',
  offloadsResult: true,
  resultIsOwn: true,
} as const satisfies ToolDescriptor;
