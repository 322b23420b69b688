import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { REDIRECTS } from '../../../base/network/guarded-fetch';
import { pageAddress } from '../../../base/network/page-address';
import { optional } from '../../../contract/shared/optional';
import { decodedPage } from './decoded-page';
import { markdownOf } from './html-page';
import { type PageNetwork, PUBLIC_NETWORK, type ResolvedAddress } from './page-network';
import { ProxyRefused, routeThrough } from './proxy-tunnel';
import { withoutInvisible } from './visible-text';

/** `moved`: the page is at an address of another origin, which was not requested. */
export type PageReport =
  | { kind: 'page'; url: string; title: string; text: string; isCut: boolean }
  | { kind: 'moved'; url: string }
  | { kind: 'failed'; why: string };

export interface ReadPageOptions {
  signal: AbortSignal;
  network?: PageNetwork;
  /** The `User-Agent` of requests. Default: none. */
  userAgent?: string;
  /** Milliseconds from the first lookup to the last byte. */
  timeoutMs?: number;
  /** Maximum bytes of the page, after decompression. More is cut off. */
  maxBytes?: number;
}

const TIMEOUT = 30_000;
const MAX_BYTES = 5_000_000;
const MAX_REDIRECTS = 5;

/** A page that cannot be read, with a reason for the model. */
class UnreadablePage extends Error {}

/**
 * Reads a web page as Markdown. It sends no cookies and no keys, follows redirects only within the origin, and connects to
 * exactly the address that was resolved and checked. A proxy gets that address, or for HTTPS the name, since only the host
 * has its certificate.
 */
export async function readPage(address: string, options: ReadPageOptions): Promise<PageReport> {
  const { network = PUBLIC_NETWORK, userAgent, timeoutMs = TIMEOUT, maxBytes = MAX_BYTES } = options;
  const deadline = AbortSignal.timeout(timeoutMs);
  const signal = AbortSignal.any([options.signal, deadline]);
  try {
    return await followed(address, { network, userAgent, signal, maxBytes });
  } catch (error) {
    options.signal.throwIfAborted();
    if (deadline.aborted) return { kind: 'failed', why: `it did not load within ${timeoutMs / 1_000} s.` };
    if (error instanceof UnreadablePage || error instanceof ProxyRefused)
      return { kind: 'failed', why: error.message };
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    return { kind: 'failed', why: `it could not be reached (${code}).` };
  }
}

interface Reading {
  network: PageNetwork;
  userAgent: string | undefined;
  signal: AbortSignal;
  maxBytes: number;
}

async function followed(address: string, reading: Reading): Promise<PageReport> {
  let url = checked(address);
  const { origin } = url;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const response = await requested(url, reading);
    const next = REDIRECTS.has(response.statusCode ?? 0) ? response.headers.location : undefined;
    if (next === undefined) return pageOf(url, response, reading);
    response.destroy();
    if (!URL.canParse(next, url.href)) throw new UnreadablePage('it redirects to an invalid address.');
    const to = new URL(next, url);
    if (to.origin !== origin) return { kind: 'moved', url: to.href };
    url = checked(to.href);
  }
  throw new UnreadablePage('it redirects too many times.');
}

const PROBLEMS = {
  invalid: 'the address is not a valid URL.',
  scheme: 'only http and https addresses can be read.',
  credentials: 'an address with a user name or password is not read.',
  own_network: 'addresses of this computer and of its local network are not read.',
  unresolved:
    'this computer cannot look up its host, so it could be one of the local network. Pages behind a proxy are read only if their host can be looked up.',
} as const;

function checked(address: string): URL {
  const url = pageAddress(address);
  if (typeof url === 'string') throw new UnreadablePage(PROBLEMS[url]);
  return url;
}

async function requested(url: URL, { network, userAgent, signal }: Reading): Promise<IncomingMessage> {
  const proxy = network.proxyFor?.(url) ?? null;
  const [first, ...others] = await addressesOf(url, network, proxy !== null, signal);
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const route =
    proxy === null
      ? { agent: false as const, lookup: pinnedTo([first, ...others]) }
      : await routeThrough(proxy, url, first, signal);
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      signal,
      ...route,
      headers: {
        accept: 'text/html, text/*;q=0.9, application/json;q=0.9',
        // Servers disagree on what deflate is.
        'accept-encoding': 'gzip, br',
        ...optional({ 'user-agent': userAgent }),
      },
    });
    sent.once('response', resolve).once('error', reject).end();
  });
}

type Addresses = readonly [ResolvedAddress, ...ResolvedAddress[]];

/** The checked addresses of a host. */
async function addressesOf(
  { hostname }: URL,
  network: PageNetwork,
  isProxied: boolean,
  signal: AbortSignal,
): Promise<Addresses> {
  const resolved = abortable(network.resolve(hostname), signal).catch((error: unknown) => {
    // The proxy might know it, maybe as a host of its own network.
    if (isProxied && !signal.aborted) throw new UnreadablePage(PROBLEMS.unresolved);
    throw error;
  });
  const [first, ...others] = await resolved;
  if (first === undefined) throw new UnreadablePage('its host has no address.');
  // One address of the local network is enough: the name is not one of the internet.
  if ([first, ...others].some(({ address }) => !network.mayReach(address)))
    throw new UnreadablePage(PROBLEMS.own_network);
  return [first, ...others];
}

/**
 * Resolving the name again might give another address than the checked one. Node tries one address after the other if it
 * asks for all.
 */
const pinnedTo =
  (found: Addresses): LookupFunction =>
  (_hostname, options, done) => {
    const [first] = found;
    if (options.all === true) done(null, [...found]);
    else done(null, first.address, first.family);
  };

function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) return stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

async function pageOf(url: URL, response: IncomingMessage, reading: Reading): Promise<PageReport> {
  const { statusCode = 0, headers } = response;
  if (statusCode < 200 || statusCode > 299) {
    response.destroy();
    throw new UnreadablePage(`the server answered with status ${statusCode}.`);
  }
  const type = (headers['content-type'] || 'text/html').toLowerCase();
  const [kind = ''] = type.split(';', 1);
  if (!isText(kind.trim())) {
    response.destroy();
    throw new UnreadablePage(`it is no text but ${kind.trim().slice(0, 100)}.`);
  }
  const { bytes, isCut } = await bodyOf(response, reading.maxBytes);
  const text = decodedPage(bytes, type, isCut);
  // No text contains it, and each kind of picture, archive and program does.
  if (text.includes('\0')) throw new UnreadablePage('it is no text.');
  if (!/^(?:text\/html|application\/xhtml\+xml)$/.test(kind.trim()))
    return { kind: 'page', url: url.href, title: '', text: withoutInvisible(text), isCut };
  const page = await markdownOf(text, url.href, reading.signal);
  if (page === null) throw new UnreadablePage('its HTML is too complex to be converted.');
  return { kind: 'page', url: url.href, ...page, isCut };
}

const isText = (kind: string): boolean =>
  /^text\/[\w.+-]+$|^application\/(?:[\w.-]+\+)?(?:json|xml|yaml)$/.test(kind) ||
  /^application\/(?:x-)?(?:javascript|ecmascript|yaml|toml|ndjson|jsonl|sh|sql|graphql)$/.test(kind);

async function bodyOf(
  response: IncomingMessage,
  maxBytes: number,
): Promise<{ bytes: Buffer; isCut: boolean }> {
  const stream = decompressed(response);
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > maxBytes) break;
    }
  } finally {
    response.destroy();
    stream.destroy();
  }
  return { bytes: Buffer.concat(chunks).subarray(0, maxBytes), isCut: length > maxBytes };
}

function decompressed(response: IncomingMessage): Readable {
  const encoding = response.headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding === 'identity') return response;
  const decoder = Object.hasOwn(DECODERS, encoding) ? DECODERS[encoding as keyof typeof DECODERS]() : null;
  if (decoder === null) throw new UnreadablePage('it is compressed in an unknown way.');
  response.once('error', (error) => decoder.destroy(error));
  response.once('aborted', () => decoder.destroy(new Error('aborted')));
  return response.pipe(decoder);
}

// As browsers: some servers leave out the end, or send nothing.
const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH } = constants;
const gunzip = () => createGunzip({ flush: Z_SYNC_FLUSH, finishFlush: Z_SYNC_FLUSH });
const DECODERS = {
  gzip: gunzip,
  'x-gzip': gunzip,
  deflate: () => createInflate({ flush: Z_SYNC_FLUSH, finishFlush: Z_SYNC_FLUSH }),
  br: () => createBrotliDecompress({ flush: BROTLI_OPERATION_FLUSH, finishFlush: BROTLI_OPERATION_FLUSH }),
} as const;
