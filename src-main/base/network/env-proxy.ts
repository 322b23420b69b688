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
 * Sends requests through the proxies that `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` name, in either case; null if the
 * environment has none. Servers of this machine are always reached directly. With a proxy of another kind, such as SOCKS,
 * requests fail and say so.
 */
export function proxiedFetch(env: NodeJS.ProcessEnv, direct: Fetch): Fetch | null {
  const proxies = proxiesIn(env);
  if (proxies.http === undefined && proxies.https === undefined) return null;
  const networks = networksIn(proxies.none);
  let sending: Promise<Fetch> | undefined;
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (reachOfName(url) === 'loopback' || isIn(networks, url)) return direct(input, init);
    sending ??= sendThrough(proxies);
    return (await sending)(input, init);
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

/** The networks of NO_PROXY, such as 10.0.0.0/8, which the package leaves out. */
function networksIn(list: string): BlockList {
  const networks = new BlockList();
  for (const entry of list.split(/[\s,]+/u)) {
    const [, net = '', bits = ''] = /^([\da-f.:]+)\/(\d{1,3})$/iu.exec(entry) ?? [];
    const version = isIP(net);
    if (version !== 0 && Number(bits) <= (version === 4 ? 32 : 128))
      networks.addSubnet(net, Number(bits), version === 4 ? 'ipv4' : 'ipv6');
  }
  return networks;
}

function isIn(networks: BlockList, { hostname }: URL): boolean {
  const host = hostname.replace(/^\[|\]$/gu, '');
  const version = isIP(host);
  return version !== 0 && networks.check(host, version === 4 ? 'ipv4' : 'ipv6');
}

async function sendThrough({ http, https, none }: Proxies): Promise<Fetch> {
  for (const proxy of [http, https]) {
    if (proxy === undefined || /^https?:\/\//iu.test(proxy)) continue;
    const [kind] = proxy.split('://');
    throw new Error(`The environment names a proxy of the kind ${kind}. Deepdesk supports HTTP proxies.`);
  }
  // Loaded with the first request.
  const { EnvHttpProxyAgent, fetch } = await import('undici');
  const dispatcher = new EnvHttpProxyAgent({
    httpProxy: http ?? '',
    httpsProxy: https ?? '',
    noProxy: none,
  });
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
