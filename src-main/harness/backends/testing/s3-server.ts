import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { type CutLine, cutLine } from './cut-line';
import { type S3Key, signatureProblem } from './signature-v4';

export interface S3Server extends CutLine {
  url: string;
  bucket: string;
  /** Every request so far: method, key, and the range if one was requested. */
  readonly requests: string[];
  /** Adds many small objects directly, since the protocol would take long. */
  fill(keys: readonly string[], text: string): void;
  /** Runs once, right before the next write is handled. */
  beforeWrite(race: () => Promise<void>): void;
  /** Runs with every request from now on, before it is handled. */
  watch(listener: (request: string) => void): void;
  /** The next so many writes and deletions happen, and their answers are lost. */
  loseAnswers(changes: number): void;
  /** The next so many downloads end in the middle. */
  breakOff(downloads: number): void;
  /** The current text of an object, or undefined. */
  text(key: string): string | undefined;
  close(): Promise<void>;
}

interface StoredObject {
  bytes: Buffer;
  /** With quotes. */
  etag: string;
  modified: Date;
  /** Extra headers for a request of the object: its type and metadata. */
  headers: Record<string, string>;
}

const BUCKET = 'files';
const MAX_KEYS = 1_000;

/**
 * Answers the requests of `S3Objects` like S3, on loopback, from memory. Conditional writes are applied (`kept`), rejected
 * as by servers without them (`refused`), or ignored (`ignored`). Signatures are checked if there is a key.
 */
export async function startS3(
  conditions: 'kept' | 'refused' | 'ignored' = 'kept',
  accessKey?: S3Key,
): Promise<S3Server> {
  const objects = new Map<string, StoredObject>();
  const requests: string[] = [];
  let race: (() => Promise<void>) | null = null;
  let watcher: (request: string) => void = () => undefined;
  let broken = 0;
  let lost = 0;

  const put = async (key: string, bytes: Buffer, request: IncomingMessage, response: ServerResponse) => {
    const before = race;
    race = null;
    await before?.();
    const { 'if-match': match, 'if-none-match': noneMatch } = request.headers;
    if (conditions === 'refused' && (match ?? noneMatch) !== undefined)
      return refuse(response, 501, 'NotImplemented');
    if (conditions === 'kept') {
      const etag = objects.get(key)?.etag;
      if (noneMatch === '*' && etag !== undefined) return refuse(response, 412, 'PreconditionFailed');
      if (match !== undefined && etag === undefined) return refuse(response, 404, 'NoSuchKey');
      if (match !== undefined && etag !== match) return refuse(response, 412, 'PreconditionFailed');
    }
    const stored = objectOf(bytes, request.headers);
    objects.set(key, stored);
    return response.writeHead(200, { etag: stored.etag }).end();
  };

  const remove = async (key: string, { headers }: IncomingMessage, response: ServerResponse) => {
    const before = race;
    race = null;
    await before?.();
    const match = headers['if-match'];
    if (conditions === 'refused' && match !== undefined) return refuse(response, 501, 'NotImplemented');
    if (conditions === 'kept' && match !== undefined && objects.get(key)?.etag !== match)
      return refuse(response, 412, 'PreconditionFailed');
    objects.delete(key);
    return response.writeHead(204).end();
  };

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', 'http://s3');
    const key = decodeURIComponent(url.pathname.slice(BUCKET.length + 2));
    const { range } = request.headers;
    if (lost > 0 && (request.method === 'PUT' || request.method === 'DELETE')) {
      lost -= 1;
      response.writeHead = () => response;
      response.end = (() => response.destroy()) as typeof response.end;
    }
    const line = `${request.method} ${key}${range === undefined ? '' : ` ${range}`}`;
    requests.push(line);
    watcher(line);
    const body = await buffer(request);
    const problem = accessKey === undefined ? null : signatureProblem(request, body, accessKey);
    if (problem !== null) return refuse(response, 403, problem);
    if (!`${url.pathname}/`.startsWith(`/${BUCKET}/`)) return refuse(response, 404, 'NoSuchBucket');
    switch (`${request.method}${key === '' ? ' bucket' : ''}`) {
      case 'GET bucket':
        return sendXml(response, 200, listing(objects, url.searchParams));
      case 'POST bucket': {
        for (const [, name = ''] of String(body).matchAll(/<Key>(.*?)<\/Key>/gs))
          objects.delete(unescaped(name));
        return sendXml(response, 200, '<DeleteResult></DeleteResult>');
      }
      case 'PUT':
        return put(key, body, request, response);
      case 'DELETE':
        return remove(key, request, response);
      case 'HEAD':
      case 'GET':
        if (request.method === 'GET' && broken > 0) {
          broken -= 1;
          response.end = ((bytes: Uint8Array) => {
            response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
            return response;
          }) as typeof response.end;
        }
        return sendObject(objects.get(key), request, response);
      default:
        return refuse(response, 501, 'NotImplemented');
    }
  };

  const server = createServer((request, response) => {
    answer(request, response).catch((thrown: unknown) => response.writeHead(500).end(String(thrown)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    ...cutLine(server),
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bucket: BUCKET,
    requests,
    fill: (keys, text) => {
      for (const key of keys) objects.set(key, objectOf(Buffer.from(text), {}));
    },
    beforeWrite: (next) => {
      race = next;
    },
    watch: (listener) => {
      watcher = listener;
    },
    loseAnswers: (changes) => {
      lost = changes;
    },
    breakOff: (downloads) => {
      broken = downloads;
    },
    text: (key) => objects.get(key)?.bytes.toString(),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function objectOf(bytes: Buffer, headers: IncomingMessage['headers']): StoredObject {
  const kept = Object.entries(headers).filter(
    ([name]) => name === 'content-type' || name.startsWith('x-amz-meta-'),
  );
  return {
    bytes,
    etag: `"${createHash('md5').update(bytes).digest('hex')}"`,
    modified: new Date(),
    headers: Object.fromEntries(kept.map(([name, value]) => [name, String(value)])),
  };
}

function sendObject(
  object: StoredObject | undefined,
  { method, headers: asked }: IncomingMessage,
  response: ServerResponse,
): ServerResponse {
  if (object === undefined) return refuse(response, 404, 'NoSuchKey');
  const { bytes, etag, modified } = object;
  if (asked['if-match'] !== undefined && asked['if-match'] !== etag)
    return refuse(response, 412, 'PreconditionFailed');
  const headers = { ...object.headers, etag, 'last-modified': modified.toUTCString() };
  const range = /^bytes=(\d+)-(\d+)$/.exec(asked.range ?? '');
  if (range === null) {
    response.writeHead(200, { ...headers, 'content-length': bytes.length });
    return response.end(method === 'HEAD' ? undefined : bytes);
  }
  const [from, to] = [Number(range[1]), Math.min(Number(range[2]), bytes.length - 1)];
  // An empty object has no range.
  if (from >= bytes.length) return refuse(response, 416, 'InvalidRange');
  const part = bytes.subarray(from, to + 1);
  const where = { 'content-range': `bytes ${from}-${to}/${bytes.length}`, 'content-length': part.length };
  return response.writeHead(206, { ...headers, ...where }).end(part);
}

/** A page of a listing: keys and folders in one order and under one limit. */
function listing(objects: ReadonlyMap<string, StoredObject>, query: URLSearchParams): string {
  const prefix = query.get('prefix') ?? '';
  const delimiter = query.get('delimiter');
  const maxKeys = Math.min(MAX_KEYS, Number(query.get('max-keys') ?? MAX_KEYS));
  const after = Buffer.from(query.get('continuation-token') ?? '', 'base64').toString();
  const entries = new Map<string, string>();
  for (const [key, { bytes, etag, modified }] of objects) {
    if (!key.startsWith(prefix)) continue;
    const end = delimiter === null ? -1 : key.indexOf(delimiter, prefix.length);
    const name = end < 0 ? key : key.slice(0, end + 1);
    const facts = `<LastModified>${modified.toISOString()}</LastModified><ETag>${escaped(etag)}</ETag><Size>${bytes.length}</Size>`;
    entries.set(
      name,
      end < 0
        ? `<Contents><Key>${escaped(name)}</Key>${facts}</Contents>`
        : `<CommonPrefixes><Prefix>${escaped(name)}</Prefix></CommonPrefixes>`,
    );
  }
  const rest = [...entries].filter(([name]) => name > after).sort(([a], [b]) => (a < b ? -1 : 1));
  const page = rest.slice(0, maxKeys);
  const last = rest.length > maxKeys ? page.at(-1)?.[0] : undefined;
  const next =
    last === undefined
      ? ''
      : `<NextContinuationToken>${Buffer.from(last).toString('base64')}</NextContinuationToken>`;
  return `<ListBucketResult><IsTruncated>${last !== undefined}</IsTruncated>${next}${page.map(([, xml]) => xml).join('')}</ListBucketResult>`;
}

const escaped = (text: string): string => text.replace(/[&<>"\r\n]/g, (char) => `&#${char.charCodeAt(0)};`);

const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const unescaped = (text: string): string =>
  text.replace(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (_, hex?: string, decimal?: string, name?: string) =>
    name === undefined
      ? String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16))
      : (NAMED[name] ?? ''),
  );

function sendXml(response: ServerResponse, status: number, xml: string): ServerResponse {
  response.writeHead(status, { 'content-type': 'application/xml' });
  return response.end(`<?xml version="1.0" encoding="UTF-8"?>${xml}`);
}

const refuse = (response: ServerResponse, status: number, code: string): ServerResponse =>
  sendXml(response, status, `<Error><Code>${code}</Code><Message>${code}</Message></Error>`);
