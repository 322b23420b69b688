import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { onTestFinished } from 'vitest';

/** A loopback server that runs until the test ends. */
export async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A server that redirects every request to another port, and records the requests that arrive there. */
export async function redirecting(status: number) {
  const arrived: string[] = [];
  const asked: string[] = [];
  const other = await serve((request, response) => {
    arrived.push(`${request.method} ${request.url} ${JSON.stringify(request.headers)}`);
    request.resume().on('end', () => response.end('{}'));
  });
  const url = await serve((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    request.resume().on('end', () => response.writeHead(status, { location: `${other}/taken` }).end());
  });
  return { url, other, asked, arrived };
}

const WRONG_LOGIN = `Basic ${Buffer.from('me:wrong').toString('base64')}`;

/** A proxy that connects everything to one server, and records what it was asked for. It refuses `me:wrong`. */
export async function proxyTo(target: string) {
  const asked: string[] = [];
  const proxy = createServer();
  proxy.on('connect', ({ url, headers }, client) => {
    const login = headers['proxy-authorization'] ?? '';
    if (login === WRONG_LOGIN) {
      client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
      return;
    }
    asked.push(`${url} ${login}`.trim());
    const server = connect(Number(new URL(target).port), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      server.pipe(client).pipe(server);
    });
    for (const socket of [client, server]) socket.on('error', () => undefined);
    onTestFinished(() => void server.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return { asked, port: (proxy.address() as AddressInfo).port };
}
