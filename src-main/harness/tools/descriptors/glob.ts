import type { ToolDescriptor } from '../descriptor';

export const glob = {
  name: 'glob',
  effect: 'reads',
  display: 'match',
  path: { argument: 'path', byDefault: '/', operation: 'read', below: true },
  arguments: { required: ['pattern'], numbers: ['offset'], emptyIsNone: ['path'] },
  offloadsResult: false,
} as const satisfies ToolDescriptor;
