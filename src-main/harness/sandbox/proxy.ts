import { lookup } from 'node:dns/promises';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { isLocalAddress } from './addresses';
import { type HostList, isNamed, mayReach } from './hosts';

export interface HostProxy {
  /** Contains only the socket; only this user may enter it. */
  socketFolder: string;
  socketName: string;
  /** Requested hosts that were refused, each once. */
  refused(): string[];
  close(): Promise<void>;
}

const NAME = 'proxy';
/** Milliseconds without an answer from the other side. */
const CONNECT_WITHIN = 30_000;

/** The address to connect to, or why there is none. */
type Admit = (host: string, port: number) => Promise<{ address: string } | 'refused' | 'unknown'>;

/**
 * An HTTP proxy on a unix socket that allows the current `hosts`: `CONNECT` for TLS, and plain HTTP. It sees names and
 * ports, not the content. It opens no port on this machine.
 */
export async function openProxy(
  hosts: () => HostList,
  resolve: (host: string) => Promise<{ address: string }> = lookup,
): Promise<HostProxy> {
  const socketFolder = await mkdtemp(join(tmpdir(), 'deepdesk-net-'));
  const refused = new Set<string>();
  const open = new Set<Duplex>();
  const keep = (socket: Duplex) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    // If one side breaks off, the pipe closes the other.
    socket.on('error', () => socket.destroy());
  };

  const admit: Admit = async (host, port) => {
    const refuse = () => {
      refused.add(port === 443 || port === 80 ? host : `${host}:${port}`);
      return 'refused' as const;
    };
    if (!mayReach(hosts(), host, port)) return refuse();
    const found = await resolve(host).catch(() => null);
    if (found === null) return 'unknown';
    const { address } = found;
    // A public name that points at this machine or its network would reach internal services.
    const list = hosts();
    if (isLocalAddress(address) && !isNamed(list, host, port) && !isNamed(list, address, port))
      return refuse();
    // Connect to this address: a second lookup could lead elsewhere.
    return { address };
  };

  const server = createServer((incoming, response) => void forward(incoming, response, admit));
  server.on('connection', keep);
  server.on('connect', (incoming, socket, head) => void tunnel(incoming, { socket, head }, admit, keep));

  await new Promise<void>((listening, reject) => {
    server.once('error', reject);
    server.listen(join(socketFolder, NAME), listening);
  });
  return {
    socketFolder,
    socketName: NAME,
    refused: () => [...refused],
    close: async () => {
      for (const socket of open) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      await rm(socketFolder, { recursive: true, force: true });
    },
  };
}

/** Connects a client to the host and port that it named, and passes bytes both ways. */
async function tunnel(
  incoming: IncomingMessage,
  { socket, head }: { socket: Duplex; head: Buffer },
  admit: Admit,
  keep: (socket: Duplex) => void,
): Promise<void> {
  const target = /^\[?([^\]]+?)\]?:(\d+)$/.exec(incoming.url ?? '');
  if (target === null) return void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
  const [, host = '', port = '0'] = target;
  const admitted = await admit(host, Number(port));
  if (typeof admitted === 'string') return void socket.end(answer(admitted, host));
  const upstream: Socket = connect({ host: admitted.address, port: Number(port), timeout: CONNECT_WITHIN });
  keep(upstream);
  upstream.once('timeout', () => upstream.destroy());
  upstream.once('error', () => socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'));
  upstream.once('connect', () => {
    upstream.setTimeout(0);
    socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    upstream.write(head);
    upstream.pipe(socket);
    socket.pipe(upstream);
  });
  socket.once('close', () => upstream.destroy());
}

/** Passes on a request without encryption. */
async function forward(incoming: IncomingMessage, response: ServerResponse, admit: Admit): Promise<void> {
  const url = URL.canParse(incoming.url ?? '') ? new URL(incoming.url ?? '') : null;
  if (url === null || url.protocol !== 'http:') return void response.writeHead(400).end();
  const port = Number(url.port || 80);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const admitted = await admit(host, port);
  if (typeof admitted === 'string') {
    response.writeHead(admitted === 'refused' ? 403 : 502, { 'content-type': 'text/plain' });
    return void response.end(`${words(admitted, host)}\n`);
  }
  const headers = { ...incoming.headers, host: url.host };
  for (const name of ['proxy-connection', 'proxy-authorization'])
    delete headers[name as keyof typeof headers];
  const upstream = request({
    host: admitted.address,
    port,
    path: `${url.pathname}${url.search}`,
    method: incoming.method,
    headers,
  });
  upstream.once('response', (reply) => {
    response.writeHead(reply.statusCode ?? 502, reply.headers);
    reply.pipe(response);
  });
  upstream.once('error', () => {
    if (response.headersSent) response.destroy();
    else response.writeHead(502).end();
  });
  incoming.pipe(upstream);
}

const words = (why: 'refused' | 'unknown', host: string) =>
  why === 'refused' ? `The sandbox does not let commands reach ${host}.` : `${host} could not be found.`;

const answer = (why: 'refused' | 'unknown', host: string) => {
  const text = `${words(why, host)}\n`;
  const status = why === 'refused' ? '403 Forbidden' : '502 Bad Gateway';
  return `HTTP/1.1 ${status}\r\nContent-Type: text/plain\r\nContent-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`;
};
