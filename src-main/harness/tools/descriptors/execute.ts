import type { ToolDescriptor } from '../descriptor';

export const execute = {
  name: 'execute',
  effect: 'runs',
  display: 'command',
  arguments: {
    required: ['command'],
    numbers: ['timeout'],
    booleans: ['background'],
    nullable: ['timeout'],
  },
  offloadsResult: true,
} as const satisfies ToolDescriptor;
