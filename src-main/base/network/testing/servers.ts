import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
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
