import type { ToolDescriptor } from '../descriptor';

export const grep = {
  name: 'grep',
  effect: 'reads',
  display: 'search',
  path: { argument: 'path', byDefault: '/', operation: 'read', below: true },
  arguments: {
    required: ['pattern'],
    aliases: { maxCount: 'max_count', outputMode: 'output_mode', include: 'glob' },
    numbers: ['max_count', 'context'],
    booleans: ['regex'],
    nullable: ['glob', 'max_count'],
    emptyIsNone: ['path'],
  },
  offloadsResult: false,
  resultLines: 'matches',
} as const satisfies ToolDescriptor;
