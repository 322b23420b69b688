import type { ToolDescriptor } from '../descriptor';

export const fetchUrl = {
  name: 'fetch_url',
  effect: 'fetches',
  display: 'fetch',
  arguments: { required: ['url'] },
  offloadsResult: true,
} as const satisfies ToolDescriptor;
