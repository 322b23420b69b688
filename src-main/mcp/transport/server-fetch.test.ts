import { createServer } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { redirecting, serve } from '../../base/network/testing/servers';
import { signInFetch } from '../sign-in/sign-in-fetch';
import { serverFetch } from './server-fetch';

/** A guarded server that is also its authorization server, and a count of refresh requests. */
async function guarded({ rotates = true } = {}) {
  const asked: string[] = [];
  let held: (() => void) | undefined;
  const place = { asked, valid: 'a1', release: () => held?.() };
  let given = 1;
  const http = createServer((request, response) => {
    if (request.url === '/token') {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        asked.push(new URLSearchParams(body).get('refresh_token') ?? '');
        given += 1;
        place.valid = `a${given}`;
        const more = rotates ? { refresh_token: `r${given}` } : {};
        response.end(JSON.stringify({ access_token: place.valid, ...more }));
      });
      return;
    }
    const answer = () => response.end('fine');
    const isGood = request.headers.authorization === `Bearer ${place.valid}`;
    const refuse = () => response.writeHead(401, { 'www-authenticate': 'Bearer' }).end();
    if (request.url === '/held' && !isGood) held = refuse;
    else if (isGood) answer();
    else refuse();
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void http.close());
  const at = http.address();
  const origin = `http://127.0.0.1:${at !== null && typeof at === 'object' ? at.port : 0}`;
  const refusals: unknown[] = [];
  const ask = serverFetch(`${origin}/mcp`, {}, (challenge) => refusals.push(challenge));
  const use = (token: string, path = '/mcp') =>
    ask(`${origin}${path}`, { method: 'POST', headers: { Authorization: `Bearer ${token}` }, body: '{}' });
  const renew = async (by: string): Promise<{ access_token: string }> => {
    const body = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: by });
    return JSON.parse(await (await ask(`${origin}/token`, { method: 'POST', body })).text());
  };
  return { place, use, renew, refusals, isHeld: () => held !== undefined };
}

it('refreshes once, even for requests that fail late and use the new token', async () => {
  const { place, use, renew } = await guarded();
  const [first, second] = await Promise.all([renew('r1'), renew('r1')]);
  expect([first, second]).toEqual([first, first]);
  expect(await renew('r1')).toEqual(first);
  expect(await renew('r2')).toEqual(first);
  expect(place.asked).toEqual(['r1']);
  place.valid = 'none';
  expect((await use('a2')).status).toBe(401);
  expect((await renew('r2')).access_token).toBe('a3');
  expect(place.asked).toEqual(['r1', 'r2']);
});

it('refreshes again with the same refresh token if the server keeps it, after the new access token has expired', async () => {
  const { place, use, renew } = await guarded({ rotates: false });
  expect((await renew('r1')).access_token).toBe('a2');
  place.valid = 'none';
  expect((await use('a2')).status).toBe(401);
  expect((await renew('r1')).access_token).toBe('a3');
  expect(place.asked).toEqual(['r1', 'r1']);
});

it('resends a request whose token was refreshed while it was in progress', async () => {
  const { place, use, renew, refusals, isHeld } = await guarded();
  place.valid = 'none';
  const late = use('a1', '/held');
  await expect.poll(isHeld).toBe(true);
  expect((await use('a1')).status).toBe(401);
  await renew('r1');
  expect(refusals).toHaveLength(1);
  place.release();
  expect((await late).status).toBe(200);
  expect(refusals).toHaveLength(1);
});

it.each(['http', 'sse'])(
  "sends a server's headers to no other origin, over %s [safety 25]",
  async (transport) => {
    const { url, asked, arrived } = await redirecting(307);
    const headers = { 'X-Api-Key': 'mine', Authorization: 'Bearer mine-too' };
    const ask = serverFetch(`${url}/mcp`, headers, () => undefined);
    const init = transport === 'sse' ? {} : { method: 'POST', body: '{}' };
    await expect(ask(`${url}/mcp`, init)).rejects.toThrow(/redirect was refused/);
    expect(asked).toHaveLength(1);
    expect(arrived).toEqual([]);
  },
);

it('rejects metadata that is redirected elsewhere, and endless responses [safety 26]', async () => {
  const { url, arrived } = await redirecting(302);
  const { ask } = signInFetch(`${url}/mcp`);
  await expect(ask(`${url}/.well-known/oauth-authorization-server`)).rejects.toThrow(/redirect was refused/);
  expect(arrived).toEqual([]);
  let isOpen = true;
  const endless = await serve((request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(65_536)));
      response.once('drain', more);
    };
    request.socket.once('close', () => {
      isOpen = false;
    });
    more();
  });
  const long = signInFetch(`${endless}/mcp`);
  await expect(long.ask(`${endless}/.well-known/oauth-authorization-server`)).rejects.toThrow(
    /response that is too large/,
  );
  await expect.poll(() => isOpen).toBe(false);
});

it.each([
  ['https://mcp.example.com/mcp', 'http://127.0.0.1:9/token'],
  ['https://mcp.example.com/mcp', 'https://localhost/token'],
  ['https://mcp.example.com/mcp', 'https://[::ffff:127.0.0.1]/token'],
  ['https://8.8.8.8/mcp', 'https://10.0.0.1/token'],
  ['https://8.8.8.8/mcp', 'https://169.254.169.254/token'],
  ['https://10.0.0.1/mcp', 'https://127.0.0.1/token'],
])(
  'sends no request to addresses more local than the server at %s: not %s [safety 26]',
  async (address, url) => {
    await expect(signInFetch(address).ask(url)).rejects.toThrow(/not secure/);
  },
);
