import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import type { ResolvedAddress } from './page-network';

/** A proxy that makes no connection; the message says why. */
export class ProxyRefused extends Error {}

/**
 * Options of a request through a proxy to a host with this checked address. The proxy resolves a name again, maybe to another
 * address, so it gets the name only where the answer needs the certificate for it.
 */
export async function routeThrough(
  proxy: URL,
  { protocol, hostname, port }: URL,
  { address, family }: ResolvedAddress,
  signal: AbortSignal,
) {
  if (protocol === 'https:') {
    const socket = await tunnelThrough(proxy, `${hostname}:${port || 443}`, signal);
    const host = hostname.replace(/^\[|\]$/gu, '');
    const servername = isIP(host) === 0 ? host : '';
    return {
      defaultPort: 443,
      createConnection: () => connectSecurely({ socket, host, servername, rejectUnauthorized: true }),
    };
  }
  const socket = await tunnelThrough(
    proxy,
    `${family === 6 ? `[${address}]` : address}:${port || 80}`,
    signal,
  );
  return { defaultPort: 80, createConnection: () => socket };
}

/** A connection to `target`, such as `example.org:443`, through an HTTP proxy. Cancel: rejects with an abort error. */
function tunnelThrough(proxy: URL, target: string, signal: AbortSignal): Promise<Socket> {
  const { protocol, username, password } = proxy;
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const asked = (protocol === 'https:' ? httpsRequest : httpRequest)({
    host: proxy.hostname.replace(/^\[|\]$/gu, ''),
    port: proxy.port === '' ? (protocol === 'https:' ? 443 : 80) : proxy.port,
    method: 'CONNECT',
    path: target,
    headers: {
      host: target,
      ...(login === ':' ? {} : { 'proxy-authorization': `Basic ${Buffer.from(login).toString('base64')}` }),
    },
    agent: false,
    signal,
  });
  return new Promise((resolve, reject) => {
    asked.once('connect', ({ statusCode }, socket, head) => {
      if (statusCode === 200) {
        if (head.length > 0) socket.unshift(head);
        return resolve(socket as Socket);
      }
      socket.destroy();
      const advice = statusCode === 407 ? ' It wants a user name and a password in its address.' : '';
      reject(new ProxyRefused(`the proxy refused the connection with status ${statusCode}.${advice}`));
    });
    asked.once('error', reject).end();
  });
}
