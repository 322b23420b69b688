import { expect, it } from 'vitest';
import { proxiedFetch, proxyFor } from './env-proxy';
import { proxyTo, serve } from './testing/servers';

const refused: typeof globalThis.fetch = () => Promise.reject(new Error('sent directly'));

const echo = () =>
  serve((request, response) => {
    let body = '';
    request.on('data', (piece: Buffer) => (body += piece.toString()));
    request.on('end', () => {
      const { 'content-length': length, 'x-key': key } = request.headers;
      response
        .setHeader('retry-after', '3')
        .end(JSON.stringify({ method: request.method, body, length, key }));
    });
  });

it('sends requests through the proxy of the environment', async () => {
  const { asked, port } = await proxyTo(await echo());
  const fetch = proxiedFetch({ HTTP_PROXY: `http://me:secret@127.0.0.1:${port}` }, refused);
  const response = await fetch?.('http://api.example.test/v1/x', {
    method: 'POST',
    headers: { 'x-key': 'k' },
    body: 'hällo',
  });
  expect(response).toBeInstanceOf(Response);
  expect(response?.headers).toBeInstanceOf(Headers);
  expect([response?.status, response?.url, response?.headers.get('retry-after')]).toEqual([
    200,
    'http://api.example.test/v1/x',
    '3',
  ]);
  expect(await response?.json()).toEqual({ method: 'POST', body: 'hällo', length: '6', key: 'k' });
  expect(asked).toEqual([`api.example.test:80 Basic ${Buffer.from('me:secret').toString('base64')}`]);
});

it('takes an address without a scheme, and prefers the lower case', async () => {
  const { asked, port } = await proxyTo(await echo());
  const env = { http_proxy: `127.0.0.1:${port}`, HTTP_PROXY: 'http://127.0.0.1:9' };
  expect((await proxiedFetch(env, refused)?.('http://a.test/'))?.status).toBe(200);
  expect(asked).toEqual(['a.test:80']);
});

it('ends a request that is stopped', async () => {
  const { port } = await proxyTo(await serve(() => undefined));
  const stop = new AbortController();
  const env = { HTTP_PROXY: `127.0.0.1:${port}` };
  const asking = proxiedFetch(env, refused)?.('http://a.test/', { signal: stop.signal });
  setImmediate(() => stop.abort());
  await expect(asking).rejects.toThrow(/abort/i);
});

it('reaches this machine, and the hosts of NO_PROXY, without a proxy', async () => {
  const { asked, port } = await proxyTo(await echo());
  const direct: typeof globalThis.fetch = () => Promise.resolve(new Response('direct'));
  const env = { HTTP_PROXY: `127.0.0.1:${port}`, NO_PROXY: 'nowhere.invalid' };
  const fetch = proxiedFetch(env, direct);
  for (const url of ['localhost:1', '127.0.0.1:1', '[::1]:1', 'nowhere.invalid'].map(
    (host) => `http://${host}/`,
  )) {
    expect(await (await fetch?.(url))?.text()).toBe('direct');
  }
  expect(asked).toEqual([]);
});

it('reaches the networks of NO_PROXY without a proxy', async () => {
  const { asked, port } = await proxyTo(await echo());
  const direct: typeof globalThis.fetch = () => Promise.resolve(new Response('direct'));
  const NO_PROXY = 'x.test, 10.0.0.0/8 192.168.1.0/24,fd00::/8,10.0.0.0/99,/8';
  const fetch = proxiedFetch({ HTTP_PROXY: `127.0.0.1:${port}`, NO_PROXY }, direct);
  for (const url of ['http://10.1.2.3:11434/', 'http://192.168.1.7/', 'http://[fd00::7]/'])
    expect(await (await fetch?.(url))?.text()).toBe('direct');
  expect((await fetch?.('http://192.168.2.7/'))?.status).toBe(200);
  expect(asked).toEqual(['192.168.2.7:80']);
});

it('reaches the hosts of NO_PROXY and those below them without a proxy', () => {
  const env = { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'A.test, .b.test *.c.test d.test:8443,[fd00::7]' };
  const isDirect = (url: string) => proxyFor(env)(new URL(url)) === null;
  expect(
    [
      'https://a.test/',
      'https://x.a.test./',
      'https://b.test/',
      'https://x.c.test/',
      'https://[fd00::7]/',
    ].map(isDirect),
  ).toEqual([true, true, true, true, true]);
  expect(['https://d.test:8443/', 'https://d.test/', 'https://xa.test/'].map(isDirect)).toEqual([
    true,
    false,
    false,
  ]);
  expect(proxyFor({ HTTP_PROXY: 'p:1', no_proxy: '*' })(new URL('https://a.test/'))).toBe(null);
  expect(proxyFor({ HTTP_PROXY: 'p:1' })(new URL('https://a.test/'))?.href).toBe('http://p:1/');
});

it('says that it supports no other kind of proxy', async () => {
  const fetch = proxiedFetch({ HTTPS_PROXY: 'socks5://127.0.0.1:1080' }, refused);
  await expect(fetch?.('https://a.test/')).rejects.toThrow('a proxy of the kind socks5');
});

it('is not there if the environment names none', () => {
  expect([proxiedFetch({}, refused), proxiedFetch({ HTTPS_PROXY: ' ' }, refused)]).toEqual([null, null]);
});
