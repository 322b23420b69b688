import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { cleanups } from '../base/testing/cleanups';
import { place } from './testing/place';

const PROTOCOL = '2025-06-18';

interface Message {
  id?: number;
  method: string;
}

async function messageOf(request: IncomingMessage): Promise<Message> {
  let text = '';
  for await (const part of request) text += part;
  return JSON.parse(text === '' ? '{"method":""}' : text) as Message;
}

/** An HTTP server with sessions, which it forgets on request. It counts the calls that it carries out. */
async function serverWithSessions({ afterwards = true } = {}) {
  let session = 0;
  let isForgetful = false;
  let calls = 0;
  const server = createServer((request, response) => {
    void messageOf(request).then(({ id, method }) => {
      const current = `session-${session}`;
      const answer = (result: object, headers: Record<string, string> = {}) =>
        response
          .writeHead(200, { 'content-type': 'application/json', ...headers })
          .end(JSON.stringify({ jsonrpc: '2.0', id, result }));
      if (method === 'initialize') {
        if (session > 0 && !afterwards) return response.writeHead(503).end();
        isForgetful = false;
        session += 1;
        const serverInfo = { name: 'far', version: '1' };
        return answer(
          { protocolVersion: PROTOCOL, capabilities: { tools: {} }, serverInfo },
          { 'mcp-session-id': `session-${session}` },
        );
      }
      const asked = request.headers['mcp-session-id'];
      if (asked === undefined) return response.writeHead(400).end();
      if (asked !== current || isForgetful) return response.writeHead(404).end();
      if (request.method !== 'POST') return response.writeHead(405).end();
      if (id === undefined) return response.writeHead(202).end();
      if (method === 'tools/list')
        return answer({ tools: [{ name: 'count', inputSchema: { type: 'object' } }] });
      calls += 1;
      return answer({ content: [{ type: 'text', text: `Call ${calls} in ${current}.` }] });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => new Promise<void>((resolve) => server.close(() => resolve())));
  cleanups.push(() => server.closeAllConnections());
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    forget: () => {
      isForgetful = true;
    },
    calls: () => calls,
  };
}

it('opens another session when an HTTP server has forgotten its own, and calls again', async () => {
  const { url, forget, calls } = await serverWithSessions();
  const t = place({ far: { url } });
  expect(await t.call('far__count')).toEqual({ status: 'success', content: 'Call 1 in session-1.' });
  forget();
  expect(await t.call('far__count')).toEqual({ status: 'success', content: 'Call 2 in session-2.' });
  expect(calls()).toBe(2);
  expect((await t.shown('far')).state).toEqual({ phase: 'ready' });
});

it('says why an HTTP server that has forgotten its session gives no other one', async () => {
  const { url, forget, calls } = await serverWithSessions({ afterwards: false });
  const t = place({ far: { url } });
  await t.call('far__count');
  forget();
  expect(await t.call('far__count')).toMatchObject({
    status: 'error',
    content: expect.stringContaining('was not run'),
  });
  expect(calls()).toBe(1);
});
