import { createServer as createHttpServer, request } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { type HostProxy, openProxy } from './proxy';

let proxy: HostProxy;
const closing: (() => void)[] = [];
afterEach(async () => {
  await proxy.close();
  for (const close of closing.splice(0)) close();
});

/** Requests a page like a command; returns the status and the text. */
async function get(url: string): Promise<string> {
  const socketPath = join(proxy.socketFolder, proxy.socketName);
  const response = await new Promise<import('node:http').IncomingMessage>((resolve, reject) =>
    request({ socketPath, path: url, headers: { host: new URL(url).host } }, resolve)
      .on('error', reject)
      .end(),
  );
  return `${response.statusCode} ${(await text(response)).trim()}`;
}

/** Requests a tunnel like a command; returns the first line of the answer. */
const tunnel = (target: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(join(proxy.socketFolder, proxy.socketName));
    socket.on('error', reject);
    socket.once('data', (data) => {
      socket.destroy();
      resolve(String(data).split('\r\n')[0] ?? '');
    });
    socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n\r\n`);
  });

describe('the proxy of the sandbox', () => {
  it.each([
    ...['127.0.0.1', '10.1.2.3', '172.20.0.1', '192.168.178.1', '169.254.169.254', '100.100.0.1', '0.0.0.0'],
    ...['::1', 'fe80::1', 'fd00::1', '::ffff:192.168.1.1', '64:ff9b::a00:1'],
  ])('connects no public name to %s [safety 20]', async (address) => {
    proxy = await openProxy(
      () => ({ allow: ['public.example.com', '*.example.org'], deny: [] }),
      () => Promise.resolve({ address }),
    );
    expect(await get('http://public.example.com/')).toBe(
      `403 The sandbox does not let commands reach ${address}, the local address of public.example.com.`,
    );
    expect(await tunnel('a.example.org:443')).toBe('HTTP/1.1 403 Forbidden');
    // The address is what a rule is missing for; the name is allowed already.
    expect(proxy.refused()).toEqual([{ name: address, via: 'a.example.org' }]);
  });

  it('names the host that no rule allows, each once', async () => {
    proxy = await openProxy(() => ({ allow: ['public.example.com'], deny: [] }));
    expect(await get('http://other.example.com/')).toBe(
      '403 The sandbox does not let commands reach other.example.com.',
    );
    await tunnel('other.example.com:443');
    await tunnel('other.example.com:8443');
    expect(proxy.refused()).toEqual([{ name: 'other.example.com' }, { name: 'other.example.com:8443' }]);
  });

  it('connects to the address that it checked, without another lookup [safety 20]', async () => {
    const server = createHttpServer((_request, response) => response.end('here'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(() => server.close());
    const { port } = server.address() as AddressInfo;
    let asked = 0;
    proxy = await openProxy(
      () => ({ allow: [`one.example.com:${port}`, `127.0.0.1:${port}`], deny: [] }),
      () => {
        asked += 1;
        return Promise.resolve({ address: '127.0.0.1' });
      },
    );
    // The rule names the address too, so the person knows where the host name leads.
    expect(await get(`http://one.example.com:${port}/`)).toBe('200 here');
    expect(asked).toBe(1);
  });

  it('opens no connection for a refused request [safety 20]', async () => {
    let reached = 0;
    const server = createServer((socket) => {
      reached += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => server.listen(0, resolve));
    closing.push(() => server.close());
    const { port } = server.address() as AddressInfo;
    proxy = await openProxy(
      () => ({ allow: [`rebound.example.com:${port}`, `*.0.0.1:${port}`], deny: [] }),
      () => Promise.resolve({ address: '127.0.0.1' }),
    );
    expect(await tunnel(`rebound.example.com:${port}`)).toContain('403');
    expect(await tunnel(`127.0.0.1:${port}`)).toContain('403');
    expect(reached).toBe(0);
  });

  it('leads from a socket of its own to each named port of this computer, while a rule allows it', async () => {
    const server = createServer((socket) => socket.end('here'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(() => server.close());
    const { port } = server.address() as AddressInfo;
    let deny: string[] = [];
    proxy = await openProxy(() => ({ allow: [`localhost:${port}`, 'example.com:8080'], deny }));
    expect(proxy.local.map((one) => one.port)).toEqual([port]);
    const read = async () => {
      const socket = connect(join(proxy.socketFolder, proxy.local[0]?.socketName ?? ''));
      return await text(socket).catch(() => '');
    };
    expect(await read()).toBe('here');
    deny = [`localhost:${port}`];
    expect(await read()).toBe('');
  });
});
