import { expect, it } from 'vitest';
import { boundedText, guardedFetch, guardGlobalFetch } from './guarded-fetch';
import { redirecting, serve } from './testing/servers';

const secret = { 'x-api-key': 'key-1', 'x-goog-api-key': 'key-2', authorization: 'Bearer key-3' };

it.each([301, 302, 303, 307, 308])(
  'sends nothing to another origin after a %i [safety 25]',
  async (status) => {
    for (const method of ['GET', 'POST', 'PUT', 'HEAD']) {
      const { url, asked, arrived } = await redirecting(status);
      const body = method === 'POST' || method === 'PUT' ? { body: 'x' } : {};
      await expect(guardedFetch(url, { method, headers: secret, ...body })).rejects.toThrow(
        /A redirect was refused: http:\/\/127.0.0.1:\d+ wanted to pass the request on to http:\/\/127.0.0.1:\d+/,
      );
      expect(asked).toHaveLength(1);
      expect(arrived).toEqual([]);
    }
  },
);

it.each([
  'http://user:pass@HOST/x',
  'https://HOST/x',
  '//localhost/x',
  'http:///127.0.0.1:1/x',
  'file:///etc/passwd',
  'data:text/plain,x',
  'ftp://HOST/x',
  'http://[',
])('refuses a redirect to %s [safety 25]', async (location) => {
  const url = await serve((request, response) => {
    const to = location.replace('HOST', request.headers.host ?? '');
    response.writeHead(302, { location: to }).end();
  });
  await expect(guardedFetch(url, { headers: secret })).rejects.toThrow(/redirect was refused/);
});

it('follows redirects within the origin, and turns a POST into a GET if the status requires it', async () => {
  const seen: string[] = [];
  const url = await serve((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      seen.push(`${request.method} ${request.url} ${body} ${request.headers['x-api-key']}`);
      const to = { '/a': [307, '/b'], '/b': [302, 'c?q'] }[request.url ?? ''];
      if (to === undefined) response.end('done');
      else response.writeHead(Number(to[0]), { location: String(to[1]) }).end();
    });
  });
  const response = await guardedFetch(`${url}/a`, { method: 'POST', body: 'text', headers: secret });
  expect(await response.text()).toBe('done');
  expect(seen).toEqual(['POST /a text key-1', 'POST /b text key-1', 'GET /c?q  key-1']);
});

it('also follows a Request', async () => {
  const url = await serve((request, response) => {
    if (request.url === '/end') response.end(`${request.method} ${request.headers['x-api-key']}`);
    else response.writeHead(302, { location: '/end' }).end();
  });
  const response = await guardedFetch(new Request(url, { headers: secret }));
  expect(await response.text()).toBe('GET key-1');
});

it('stops after a few redirects [safety 25]', async () => {
  let asked = 0;
  const url = await serve((_request, response) => {
    asked += 1;
    response.writeHead(302, { location: `/${asked}` }).end();
  });
  await expect(guardedFetch(url)).rejects.toThrow(/too many times/);
  expect(asked).toBe(6);
});

it('leaves redirects to callers that handle them', async () => {
  const { url, arrived } = await redirecting(302);
  expect((await guardedFetch(url, { redirect: 'manual' })).status).toBe(302);
  await expect(guardedFetch(url, { redirect: 'error' })).rejects.toThrow();
  expect(arrived).toEqual([]);
});

it('guards packages that use the global fetch [safety 25]', async () => {
  guardGlobalFetch();
  const { url, arrived } = await redirecting(307);
  await expect(fetch(url, { headers: secret })).rejects.toThrow(/redirect was refused/);
  expect(arrived).toEqual([]);
});

const endless = (status: number) => {
  let sent = 0;
  const server = serve((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    const piece = Buffer.alloc(256 * 1024, 120);
    const more = () => {
      while (!response.destroyed && response.write(piece)) sent += piece.length;
      sent += piece.length;
      response.once('drain', more);
    };
    more();
  });
  return { server, sent: () => sent };
};

it('cuts off an endless error body [safety 26]', async () => {
  const { server } = endless(500);
  const response = await guardedFetch(await server);
  expect((await response.text()).length).toBe(1_000_000);
});

it('rejects a response over the limit, with or without a declared length [safety 26]', async () => {
  const { server } = endless(200);
  await expect(boundedText(await guardedFetch(await server), 1_000)).rejects.toThrow(
    /longer than 1000 bytes/,
  );
  const told = await serve((_request, response) => response.end('x'.repeat(2_000)));
  await expect(boundedText(await guardedFetch(told), 1_000)).rejects.toThrow(/longer than 1000 bytes/);
  expect(await boundedText(await guardedFetch(told), 2_000)).toHaveLength(2_000);
});
