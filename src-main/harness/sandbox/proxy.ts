import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { connect, createServer as createDirect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { isLocalAddress } from '../../base/network/addresses';
import { hostInPattern } from '../../base/network/host-matches';
import { optional } from '../../contract/shared/optional';
import { type HostList, isNamed, type LocalPort, localPorts, mayReach } from './hosts';

export interface HostProxy {
  /** Contains only the sockets; only this user may enter it. */
  socketFolder: string;
  socketName: string;
  /** Ports of this computer with a socket each, which leads directly there. */
  local: readonly { port: number; socketName: string }[];
  /** Requested hosts that were refused, each once. */
  refused(): RefusedHost[];
  close(): Promise<void>;
}

/** A host that was refused. `via`: the allowed name that leads to it, if it is a local address. */
export interface RefusedHost {
  name: string;
  via?: string;
}

const NAME = 'proxy';
/** Milliseconds without an answer from the other side. */
const CONNECT_WITHIN = 30_000;

type Admit = (host: string, port: number) => Promise<{ address: string } | Rejected>;
/** Why there is no connection. `local`: the name is allowed, but leads to a local address that is not. */
type Rejected = { why: 'refused' } | { why: 'unknown' } | { why: 'local'; leadsTo: string };

/**
 * An HTTP proxy on a unix socket that allows the current `hosts`: `CONNECT` for TLS, and plain HTTP. It sees names and
 * ports, not the content. It opens no port on this machine. Ports of this machine that the hosts name get a socket each.
 */
export async function openProxy(
  hosts: () => HostList,
  resolve: (host: string) => Promise<{ address: string }> = lookup,
): Promise<HostProxy> {
  const socketFolder = await mkdtemp(join(tmpdir(), 'deepdesk-net-'));
  const refused = new Map<string, RefusedHost>();
  const open = new Set<Duplex>();
  const keep = (socket: Duplex) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    // If one side breaks off, the pipe closes the other.
    socket.on('error', () => socket.destroy());
  };

  const admit: Admit = async (host, port) => {
    const refuse = (named: string, via?: string) => {
      const name = port === 443 || port === 80 ? named : `${hostInPattern(named)}:${port}`;
      refused.set(name, { name, ...optional({ via }) });
    };
    if (!mayReach(hosts(), host, port)) {
      refuse(host);
      return { why: 'refused' };
    }
    const found = await resolve(host).catch(() => null);
    if (found === null) return { why: 'unknown' };
    const { address } = found;
    // A public name that points at this machine or its network would reach internal services.
    const list = hosts();
    if (isLocalAddress(address) && !isNamed(list, host, port) && !isNamed(list, address, port)) {
      // Refused is the address: a rule about it is what is missing.
      refuse(address, host);
      return { why: 'local', leadsTo: address };
    }
    // Connect to this address: a second lookup could lead elsewhere.
    return { address };
  };

  const server = createServer((incoming, response) => void forward(incoming, response, admit));
  server.on('connection', keep);
  server.on('connect', (incoming, socket, head) => void tunnel(incoming, { socket, head }, admit, keep));

  const local = localPorts(hosts()).map((one) => {
    const socketName = `local-${one.port}`;
    const direct = createDirect((client) => void reachLocal(client, one, { hosts, keep }));
    return { port: one.port, socketName, server: direct };
  });
  const servers = [{ server, socketName: NAME }, ...local];
  await Promise.all(
    servers.map(async ({ server: one, socketName }) => {
      const listening = once(one, 'listening');
      one.listen(join(socketFolder, socketName));
      await listening;
    }),
  );
  return {
    socketFolder,
    socketName: NAME,
    local: local.map(({ port, socketName }) => ({ port, socketName })),
    refused: () => [...refused.values()],
    close: async () => {
      for (const socket of open) socket.destroy();
      await Promise.all(servers.map(({ server: one }) => new Promise((resolve) => one.close(resolve))));
      await rm(socketFolder, { recursive: true, force: true });
    },
  };
}

/** Connects a client directly to a port of this computer, as long as the hosts allow it. */
function reachLocal(
  client: Socket,
  { host, port }: LocalPort,
  { hosts, keep }: { hosts: () => HostList; keep: (socket: Duplex) => void },
): void {
  keep(client);
  if (!mayReach(hosts(), host, port)) return void client.destroy();
  // Every name below `localhost` is this computer.
  const upstream = connect({ host: /localhost$/i.test(host) ? 'localhost' : host, port });
  keep(upstream);
  client.pipe(upstream);
  upstream.pipe(client);
  client.once('close', () => upstream.destroy());
  upstream.once('close', () => client.destroy());
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
  if ('why' in admitted) return void socket.end(answer(admitted, host));
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
  if ('why' in admitted) {
    response.writeHead(admitted.why === 'unknown' ? 502 : 403, { 'content-type': 'text/plain' });
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

function words(rejected: Rejected, host: string): string {
  if (rejected.why === 'unknown') return `${host} could not be found.`;
  if (rejected.why === 'refused') return `The sandbox does not let commands reach ${host}.`;
  return `The sandbox does not let commands reach ${rejected.leadsTo}, the local address of ${host}.`;
}

function answer(rejected: Rejected, host: string): string {
  const text = `${words(rejected, host)}\n`;
  const status = rejected.why === 'unknown' ? '502 Bad Gateway' : '403 Forbidden';
  return `HTTP/1.1 ${status}\r\nContent-Type: text/plain\r\nContent-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`;
}
