import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that answers every request with the same recorded body. */
export async function serveRecorded(body: string): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.setHeader('content-type', 'text/event-stream').end(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
