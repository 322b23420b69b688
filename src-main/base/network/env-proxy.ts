import { BlockList, isIP } from 'node:net';
import { reachOfName } from './addresses';

type Fetch = typeof globalThis.fetch;

/** The proxies of the environment, as URLs, and the hosts that are reached without one, as the variable lists them. */
interface Proxies {
  http: string | undefined;
  https: string | undefined;
  none: string;
}

/**
 * The proxy for an address, as `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` name it, in either case; null if it is reached
 * directly, as servers of this machine always are. Throws for a proxy of another kind, such as SOCKS.
 */
export function proxyFor(env: NodeJS.ProcessEnv): (url: URL) => URL | null {
  const { http, https = http, none } = proxiesIn(env);
  const isDirect = directIn(none);
  return (url) => {
    const proxy = url.protocol === 'https:' ? https : http;
    if (proxy === undefined || reachOfName(url) === 'loopback' || isDirect(url)) return null;
    if (/^https?:\/\//iu.test(proxy)) return new URL(proxy);
    const [kind] = proxy.split('://');
    throw new Error(`The environment names a proxy of the kind ${kind}. Deepdesk supports HTTP proxies.`);
  };
}

/** Sends requests through the proxies of the environment (`proxyFor`); null if it has none. */
export function proxiedFetch(env: NodeJS.ProcessEnv, direct: Fetch): Fetch | null {
  const { http, https } = proxiesIn(env);
  if (http === undefined && https === undefined) return null;
  const proxyOf = proxyFor(env);
  const through = new Map<string, Promise<Fetch>>();
  return async (input, init) => {
    const proxy = proxyOf(new URL(input instanceof Request ? input.url : input));
    if (proxy === null) return direct(input, init);
    const send = through.get(proxy.href) ?? sendThrough(proxy.href);
    through.set(proxy.href, send);
    return (await send)(input, init);
  };
}

function proxiesIn(env: NodeJS.ProcessEnv): Proxies {
  // As in curl, the lower case wins.
  const first = (...names: string[]) => names.map((name) => env[name]?.trim()).find((value) => value);
  return {
    http: asUrl(first('http_proxy', 'HTTP_PROXY')),
    https: asUrl(first('https_proxy', 'HTTPS_PROXY')),
    none: first('no_proxy', 'NO_PROXY') ?? '',
  };
}

/** `proxy:8080` is common, too. */
const asUrl = (proxy: string | undefined): string | undefined =>
  proxy === undefined || proxy.includes('://') ? proxy : `http://${proxy}`;

/** What NO_PROXY lists: hosts with all below them, maybe with a port, and networks such as 10.0.0.0/8. */
function directIn(list: string): (url: URL) => boolean {
  const networks = new BlockList();
  const hosts: { name: string; port: string | undefined }[] = [];
  for (const entry of list.toLowerCase().split(/[\s,]+/u)) {
    const [, net = '', bits = ''] = /^([\da-f.:]+)\/(\d{1,3})$/u.exec(entry) ?? [];
    const version = isIP(net);
    if (version !== 0 && Number(bits) <= (version === 4 ? 32 : 128))
      networks.addSubnet(net, Number(bits), version === 4 ? 'ipv4' : 'ipv6');
    const [, bare = entry, port] = (isIP(entry) === 6 ? null : /^(.+?)(?::(\d+))?$/u.exec(entry)) ?? [];
    const name = bare.replace(/^\*?\.|^\[|\]$/gu, '');
    if (name !== '') hosts.push({ name, port });
  }
  return ({ hostname, port, protocol }) => {
    const host = hostname.replace(/^\[|\]$/gu, '').replace(/\.$/u, '');
    const version = isIP(host);
    if (version !== 0 && networks.check(host, version === 4 ? 'ipv4' : 'ipv6')) return true;
    const asked = port === '' ? (protocol === 'https:' ? '443' : '80') : port;
    return hosts.some(
      (entry) =>
        (entry.port === undefined || entry.port === asked) &&
        (entry.name === '*' || host === entry.name || host.endsWith(`.${entry.name}`)),
    );
  };
}

async function sendThrough(proxy: string): Promise<Fetch> {
  // Loaded with the first request.
  const { ProxyAgent, fetch } = await import('undici');
  const dispatcher = new ProxyAgent(proxy);
  return async (input, init) => {
    const request = new Request(input, init);
    const { url, method, headers, signal, redirect } = request;
    const answer = await fetch(url, {
      method,
      headers: [...headers],
      signal,
      redirect,
      // Whole, so that its length is sent.
      ...(request.body === null ? {} : { body: new Uint8Array(await request.arrayBuffer()) }),
      dispatcher,
    });
    const { status, statusText, body } = answer;
    // Node's own class, which others compare with.
    const response = new Response(body, { status, statusText, headers: [...answer.headers] });
    Object.defineProperty(response, 'url', { value: answer.url });
    return response;
  };
}
