import type { Client } from '@modelcontextprotocol/client';
import { expect, it } from 'vitest';
import { callResourceTool } from './resources';

it.each([
  ['', '- a:1 (One)'],
  ['2', '- a:1 (One)\n[There are more: continue with cursor="2".]'],
])('names the next cursor %j of a list of resources only if there is one', async (nextCursor, text) => {
  const client = {
    request: async () => ({ resources: [{ uri: 'a:1', name: 'One' }], nextCursor }),
    listResourceTemplates: async () => ({ resourceTemplates: [] }),
  } as unknown as Client;
  const { signal } = new AbortController();
  expect(await callResourceTool(client, 'list_resources', {}, { signal })).toBe(text);
});
