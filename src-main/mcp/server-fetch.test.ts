import { createServer } from 'node:http';
import { expect, it, onTestFinished } from 'vitest';
import { serverFetch } from './server-fetch';

/** A guarded server that is its own authorization server, and how often it was asked to renew. */
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

it('renews once, also for those who hear of it last and ask with what was just given', async () => {
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

it('renews again by the same token where the server keeps it, once what it gave has run out', async () => {
  const { place, use, renew } = await guarded({ rotates: false });
  expect((await renew('r1')).access_token).toBe('a2');
  place.valid = 'none';
  expect((await use('a2')).status).toBe(401);
  expect((await renew('r1')).access_token).toBe('a3');
  expect(place.asked).toEqual(['r1', 'r1']);
});

it('sends a request again whose token was renewed while it was under way', async () => {
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
