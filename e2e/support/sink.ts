import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server on this machine that records requests, which a page must never send. */
export interface Sink {
  url: string;
  /** Method and path of each request, in order. */
  requests: string[];
  close(): Promise<void>;
}

export async function openSink(): Promise<Sink> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
