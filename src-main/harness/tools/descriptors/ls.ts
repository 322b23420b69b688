import type { ToolDescriptor } from '../descriptor';

export const ls = {
  name: 'ls',
  effect: 'reads',
  display: 'list',
  path: { argument: 'path', byDefault: '/', operation: 'read', below: true },
  arguments: { numbers: ['offset'], emptyIsNone: ['path'] },
  offloadsResult: false,
} as const satisfies ToolDescriptor;
