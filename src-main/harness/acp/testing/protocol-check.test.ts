import type { AnyMessage } from '@agentclientprotocol/sdk';
import { expect, it } from 'vitest';
import { checkedStream, connectedStreams } from './protocol-check';

/** The problems of one notification that an agent sends. */
async function problemsOf(method: string, params: Record<string, unknown>): Promise<string[]> {
  const { editor, agent } = connectedStreams();
  const { stream, problems } = checkedStream(editor);
  const writer = agent.writable.getWriter();
  const reader = stream.readable.getReader();
  const message: AnyMessage = { jsonrpc: '2.0', method, params };
  await Promise.all([writer.write(message), reader.read()]);
  return problems;
}

it('accepts what either side may send, such as a canceled request', async () => {
  expect(await problemsOf('$/cancel_request', { requestId: 1 })).toEqual([]);
});

it('reports such a message without what it needs, and a method that the protocol lacks', async () => {
  expect(await problemsOf('$/cancel_request', {})).toEqual([expect.stringContaining('requestId')]);
  expect(await problemsOf('session/unknown', {})).toEqual(['session/unknown: is not in the protocol']);
});
