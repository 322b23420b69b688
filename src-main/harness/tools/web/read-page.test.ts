import type { IncomingMessage, RequestListener } from 'node:http';
import { brotliCompressSync, deflateRawSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { proxyTo, serve } from '../../../base/network/testing/servers';
import { type PageNetwork, PUBLIC_NETWORK } from './page-network';
import { type PageReport, readPage } from './read-page';
import { loopbackNetwork } from './testing/loopback-network';

/** A site by name on a loopback server. */
async function site(answer: RequestListener, name = 'docs.example.org') {
  const { port } = new URL(await serve(answer));
  return `http://${name}:${port}`;
}

const read = (url: string, more: Partial<Parameters<typeof readPage>[1]> = {}): Promise<PageReport> =>
  readPage(url, { signal: new AbortController().signal, network: loopbackNetwork(), ...more });

const answering =
  (body: string | Buffer, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) =>
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(body);

describe('reading a page', () => {
  it('returns HTML as Markdown with absolute links, and leaves out scripts and styles', async () => {
    const url = await site(
      answering(`<!doctype html><title>Guide &amp; more</title><style>p{}</style><body>
        <h1>Start</h1><p>Read <a href="../next">the next page</a> or <a href="javascript:alert(1)">this</a>.</p>
        <script>steal()</script><pre><code>npm start</code></pre><ul><li>One</li></ul>
        <table><tr><th>Name</th><th>Age</th></tr><tr><td>Ada</td><td>36</td></tr></table>`),
    );
    const { host } = new URL(url);
    const page = await read(`${url}/a/b`);
    expect(page).toMatchObject({ kind: 'page', url: `${url}/a/b`, title: 'Guide & more', isCut: false });
    expect(page.kind === 'page' && page.text).toBe(
      [
        '# Start',
        `Read [the next page](http://${host}/next) or this.`,
        '```\nnpm start\n```',
        '-   One',
        '| Name | Age |\n| --- | --- |\n| Ada | 36 |',
      ].join('\n\n'),
    );
  });

  it.each([
    ['application/json', '{"a": 1}'],
    ['text/plain', '<b>plain</b>'],
    ['application/ld+json', '[]'],
    ['application/javascript', 'let a;'],
    ['application/x-yaml', 'a: 1'],
    ['text/markdown; charset=utf-8', '# Title'],
  ])('returns %s as it is', async (type, body) => {
    expect(await read(await site(answering(body, { 'content-type': type })))).toMatchObject({
      kind: 'page',
      text: body,
    });
  });

  it.each(['image/png', 'application/octet-stream', 'application/pdf', 'application/zip'])(
    'refuses %s',
    async (type) => {
      expect(await read(await site(answering('x', { 'content-type': type })))).toEqual({
        kind: 'failed',
        why: `it is no text but ${type}.`,
      });
    },
  );

  it('sends no cookies, keys or referrer', async () => {
    let seen: IncomingMessage['headers'] = {};
    const url = await site((request, response) => {
      seen = request.headers;
      if (request.url === '/') response.writeHead(302, { location: '/next', 'set-cookie': 'id=1' }).end();
      else answering('ok')(request, response);
    });
    expect(await read(url, { userAgent: 'Reader' })).toMatchObject({ kind: 'page', text: 'ok' });
    expect(seen['user-agent']).toBe('Reader');
    expect(Object.keys(seen).sort()).toEqual([
      'accept',
      'accept-encoding',
      'connection',
      'host',
      'user-agent',
    ]);
  });

  it('follows redirects within the origin, but not forever', async () => {
    const url = await site((request, response) => {
      const step = Number(request.url?.slice(1) || 0);
      if (step === 3) answering('there')(request, response);
      else response.writeHead(301, { location: `/${step + 1}` }).end();
    });
    expect(await read(url)).toMatchObject({ kind: 'page', url: `${url}/3`, text: 'there' });
    expect(await read(`${url}/4`)).toEqual({ kind: 'failed', why: 'it redirects too many times.' });
  });

  it('does not follow a redirect to another origin, and says where it leads', async () => {
    let arrived = 0;
    const other = await site(() => void arrived++, 'other.example.org');
    const url = await site((_request, response) => response.writeHead(302, { location: `${other}/x` }).end());
    expect(await read(url)).toEqual({ kind: 'moved', url: `${other}/x` });
    expect(arrived).toBe(0);
  });

  it('cuts a page at the limit, including one that is compressed', async () => {
    const body = 'a'.repeat(10_000);
    for (const [encoding, bytes] of [
      ['identity', Buffer.from(body)],
      ['gzip', gzipSync(body)],
      ['br', brotliCompressSync(body)],
    ] as const) {
      const headers = { 'content-type': 'text/plain', 'content-encoding': encoding };
      expect(await read(await site(answering(bytes, headers)), { maxBytes: 1_000 })).toMatchObject({
        text: 'a'.repeat(1_000),
        isCut: true,
      });
    }
  });

  it.each([
    ['gzip', gzipSync('text').subarray(0, -8), 'text'],
    ['gzip', Buffer.alloc(0), ''],
    ['br', Buffer.alloc(0), ''],
  ])('reads what a server compressed with %s without its end: %s', async (encoding, bytes, text) => {
    const headers = { 'content-type': 'text/plain', 'content-encoding': encoding };
    expect(await read(await site(answering(bytes, headers)))).toMatchObject({ text, isCut: false });
  });

  it('reads a page of a server that would compress it without a header', async () => {
    const url = await site((request, response) => {
      const isAsked = String(request.headers['accept-encoding']).includes('deflate');
      const headers = { 'content-type': 'text/plain', ...(isAsked ? { 'content-encoding': 'deflate' } : {}) };
      response.writeHead(200, headers).end(isAsked ? deflateRawSync('text') : 'text');
    });
    expect(await read(url)).toMatchObject({ kind: 'page', text: 'text' });
  });

  const GREETING = Buffer.from('c4e3bac3', 'hex');
  const encoded = (text: string) => Buffer.concat([Buffer.from(text), GREETING]);

  it.each([
    ['the server', 'text/plain; charset=ISO-8859-1', Buffer.from('caf\u00e9', 'latin1'), 'caf\u00e9'],
    ['the server in quotes', "text/plain; charset='gbk'", GREETING, '\u4f60\u597d'],
    ['the page', 'text/html', encoded('<meta charset="gb2312"><p>'), '\u4f60\u597d'],
    ['the page in single quotes', 'text/html', encoded("<meta charset = 'gbk'/><p>"), '\u4f60\u597d'],
    [
      'the page as a header',
      'text/html',
      encoded('<meta http-equiv=Content-Type content="text/html; charset=gbk"><p>'),
      '\u4f60\u597d',
    ],
    [
      'its declaration',
      'application/xml',
      encoded('<?xml version="1.0" encoding="gbk"?>'),
      '<?xml version="1.0" encoding="gbk"?>\u4f60\u597d',
    ],
    ['its byte order mark', 'text/plain; charset=utf-8', Buffer.from('\ufeffhi', 'utf16le'), 'hi'],
    ['nobody', 'text/plain', Buffer.from('charset=utf-16le'), 'charset=utf-16le'],
    ['the page wrongly', 'text/html', Buffer.from('<meta charset="utf-16"><p>ok'), 'ok'],
    ['nobody knows', 'text/html; charset=martian', Buffer.from('<p>ok'), 'ok'],
  ])('reads the character set that is named by %s', async (_by, type, bytes, text) => {
    expect(await read(await site(answering(bytes, { 'content-type': type })))).toMatchObject({ text });
  });

  it('cuts no character in half', async () => {
    const url = await site(answering('\u20ac\u20ac', { 'content-type': 'text/plain' }));
    expect(await read(url, { maxBytes: 5 })).toMatchObject({ text: '\u20ac', isCut: true });
  });

  it('refuses what says that it is text and is not', async () => {
    const bytes = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
    for (const type of ['text/html', 'text/plain', ''])
      expect(await read(await site(answering(bytes, { 'content-type': type })))).toEqual({
        kind: 'failed',
        why: 'it is no text.',
      });
  });

  it('leaves out of plain text what nobody sees', async () => {
    const hidden = '\u{e004f}\u{e0062}\u202e';
    const url = await site(answering(`a${hidden}b`, { 'content-type': 'text/plain' }));
    expect(await read(url)).toMatchObject({ text: 'ab' });
  });

  it('tries the other checked addresses of a host if the first one does not answer', async () => {
    const url = await site(answering('ok'));
    const network: PageNetwork = {
      // Nothing listens at the first one.
      resolve: async () => ['127.99.0.1', '127.0.0.1'].map((address) => ({ address, family: 4 })),
      mayReach: () => true,
    };
    expect(await read(url, { network })).toMatchObject({ kind: 'page', text: 'ok' });
  });

  it('stops at the time limit, whether the server does not answer or does not end', async () => {
    const silent = await site(() => undefined);
    const endless = await site((_request, response) => void response.writeHead(200).write('<p>a'));
    for (const url of [silent, endless])
      expect(await read(url, { timeoutMs: 200 })).toEqual({
        kind: 'failed',
        why: 'it did not load within 0.2 s.',
      });
    const never: PageNetwork = { resolve: () => new Promise(() => undefined), mayReach: () => true };
    expect(await read(silent, { network: never, timeoutMs: 50 })).toMatchObject({ kind: 'failed' });
  });

  it('stops when it is aborted', async () => {
    const controller = new AbortController();
    const url = await site(() => controller.abort(new Error('stopped')));
    await expect(read(url, { signal: controller.signal })).rejects.toThrow('stopped');
  });

  it('reports the status of an error', async () => {
    const url = await site((_request, response) => response.writeHead(404).end('no'));
    expect(await read(url)).toEqual({ kind: 'failed', why: 'the server answered with status 404.' });
  });
});

describe('the network of a page', () => {
  const OWN = 'addresses of this computer and of its local network are not read.';

  it.each([
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://0177.0.0.1/',
    'http://0x7f.1/',
    'http://localhost:8080/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:a00:1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[fe80::1]/',
    'http://169.254.169.254/latest/meta-data/',
    'http://192.168.1.1/',
    'http://printer.local/',
    'http://127.0.0.1./',
  ])('is never that of this computer: %s', async (url) => {
    const network = loopbackNetwork();
    expect(await read(url, { network })).toEqual({ kind: 'failed', why: OWN });
    expect(network.resolved).toEqual([]);
  });

  it.each([
    ['127.0.0.1', 4],
    ['10.0.0.1', 4],
    ['169.254.169.254', 4],
    ['0.0.0.0', 4],
    ['::1', 6],
    ['::ffff:127.0.0.1', 6],
    ['fd00::1', 6],
  ])('refuses a name with the address %s, before anything is sent', async (address, family) => {
    let arrived = 0;
    const url = await site(() => void arrived++);
    const network: PageNetwork = {
      ...PUBLIC_NETWORK,
      resolve: async () => [
        { address: '93.184.215.14', family: 4 },
        { address, family },
      ],
    };
    expect(await read(url, { network })).toEqual({ kind: 'failed', why: OWN });
    expect(arrived).toBe(0);
  });

  it('connects to exactly the checked address, whatever the name resolves to later', async () => {
    const hosts: (string | undefined)[] = [];
    const url = await site((request, response) => {
      hosts.push(request.headers.host);
      answering('ok')(request, response);
    }, 'name-without-address.invalid');
    const network = loopbackNetwork();
    expect(await read(url, { network })).toMatchObject({ kind: 'page', text: 'ok' });
    expect(network.resolved).toEqual(['name-without-address.invalid']);
    expect(hosts).toEqual([new URL(url).host]);
  });

  it('is checked again for each redirect', async () => {
    const url = await site((_request, response) => response.writeHead(302, { location: '/inside' }).end());
    let lookups = 0;
    const network: PageNetwork = {
      resolve: async () => [{ address: lookups++ === 0 ? '127.0.0.1' : '10.0.0.1', family: 4 }],
      mayReach: (address) => address === '127.0.0.1',
    };
    expect(await read(url, { network })).toEqual({ kind: 'failed', why: OWN });
  });

  it.each([
    ['ftp://example.org/', 'only http and https addresses can be read.'],
    ['file:///etc/passwd', 'only http and https addresses can be read.'],
    ['https://me:secret@example.org/', 'an address with a user name or password is not read.'],
    ['example.org', 'the address is not a valid URL.'],
  ])('refuses %s', async (url, why) => {
    expect(await read(url)).toEqual({ kind: 'failed', why });
  });

  it('in the app is the internet alone', () => {
    expect(PUBLIC_NETWORK.mayReach('127.0.0.1')).toBe(false);
    expect(PUBLIC_NETWORK.mayReach('192.168.0.1')).toBe(false);
    expect(PUBLIC_NETWORK.mayReach('93.184.215.14')).toBe(true);
  });
});

describe('reading a page through a proxy', () => {
  /** A network behind a proxy that answers with this page, whatever it is asked for. */
  async function behindProxy(answer: RequestListener) {
    const { asked, port } = await proxyTo(await serve(answer));
    const proxyFor = () => new URL(`http://me:secret@127.0.0.1:${port}`);
    const resolve = async () => [{ address: '93.184.215.14', family: 4 }];
    return { asked, network: { ...PUBLIC_NETWORK, resolve, proxyFor } };
  }
  const login = `Basic ${Buffer.from('me:secret').toString('base64')}`;

  it('asks for the checked address, and the server for the name', async () => {
    const { asked, network } = await behindProxy(({ headers: { host } }, response) =>
      response.writeHead(200, { 'content-type': 'text/plain' }).end(host),
    );
    expect(await read('http://docs.example.org/a', { network })).toMatchObject({ text: 'docs.example.org' });
    expect(asked).toEqual([`93.184.215.14:80 ${login}`]);
  });

  it('asks for the name if only its host has the certificate', async () => {
    const { asked, network } = await behindProxy(answering('no TLS'));
    expect(await read('https://docs.example.org/a', { network })).toMatchObject({
      why: 'it could not be reached (EPROTO).',
    });
    expect(asked).toEqual([`docs.example.org:443 ${login}`]);
  });

  it.each([
    [
      'has an address of the local network',
      async () => [{ address: '10.0.0.7', family: 4 }],
      'local network are not',
    ],
    ['cannot be looked up here', () => Promise.reject(new Error('ENOTFOUND')), 'cannot look up its host'],
  ])('does not ask if the host %s', async (_, resolve, why) => {
    const { asked, network } = await behindProxy(answering('secret'));
    const page = await read('http://wiki.example.org/', { network: { ...network, resolve } });
    expect(page).toMatchObject({ kind: 'failed', why: expect.stringContaining(why) });
    expect(asked).toEqual([]);
  });

  it('says that the proxy refused', async () => {
    const { asked, network } = await behindProxy(answering('x'));
    const proxyFor = () => new URL(network.proxyFor().href.replace('secret', 'wrong'));
    expect(await read('https://docs.example.org/', { network: { ...network, proxyFor } })).toMatchObject({
      why: 'the proxy refused the connection with status 407. It wants a user name and a password in its address.',
    });
    expect(asked).toEqual([]);
  });
});
