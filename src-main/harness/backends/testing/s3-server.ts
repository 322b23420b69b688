import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import S3rver from 's3rver';

export interface S3Server {
  url: string;
  bucket: string;
  /** Every request so far: method, key, and the range where one was asked for. */
  readonly requests: string[];
  /** Puts many small objects past the protocol, which would take long. */
  fill(keys: readonly string[], text: string): void;
  /** Runs once, right before the next write is looked at. */
  beforeWrite(race: () => Promise<void>): void;
  close(): Promise<void>;
}

/**
 * s3rver, a real server of S3's protocol, on loopback. It pays no attention to conditions of writes, so they are kept in
 * front of it (`conditions: 'kept'`), or refused as servers do that lack them (`refused`), or passed by (`ignored`).
 * Listings are made in front of it too.
 */
export async function startS3(conditions: 'kept' | 'refused' | 'ignored' = 'kept'): Promise<S3Server> {
  const directory = mkdtempSync(join(tmpdir(), 'deepdesk-s3-'));
  const bucket = 'files';
  const s3 = new S3rver({
    directory,
    silent: true,
    allowMismatchedSignatures: true,
    configureBuckets: [{ name: bucket, configs: [] }],
  });
  await s3.configureBuckets();
  deleteInTurn(s3);
  const handle = s3.callback();
  const requests: string[] = [];
  let race: (() => Promise<void>) | null = null;
  let writing: Promise<void> = Promise.resolve();

  const etagOf = (key: string) =>
    s3.store.getMetadata(bucket, key).then(
      ({ etag }) => etag,
      () => null,
    );

  /** Writes one after the other, so that a condition holds until what it allowed is done. */
  const write = async (request: IncomingMessage, response: ServerResponse, key: string) => {
    const { 'if-match': match, 'if-none-match': noneMatch } = request.headers;
    if (conditions === 'refused' && (match ?? noneMatch) !== undefined)
      return refuse(response, 501, 'NotImplemented');
    if (conditions === 'kept' && (match ?? noneMatch) !== undefined) {
      const etag = await etagOf(key);
      if (noneMatch === '*' && etag !== null) return refuse(response, 412, 'PreconditionFailed');
      if (match !== undefined && etag === null) return refuse(response, 404, 'NoSuchKey');
      if (match !== undefined && etag !== match) return refuse(response, 412, 'PreconditionFailed');
    }
    const done = new Promise<void>((resolve) => response.on('close', resolve));
    handle(request, response);
    await done;
  };

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://s3');
    const key = decodeURIComponent(url.pathname.slice(bucket.length + 2));
    const { range } = request.headers;
    requests.push(`${request.method} ${key}${range === undefined ? '' : ` ${range}`}`);
    if (request.method === 'GET' && key === '')
      return void list(s3, bucket, url.searchParams).then(
        (xml) => response.writeHead(200, { 'content-type': 'application/xml' }).end(xml),
        (thrown: unknown) => response.writeHead(500).end(String(thrown)),
      );
    if (request.method === 'GET' && range !== undefined)
      return void s3.store
        .getMetadata(bucket, key)
        // Of nothing there is no range; s3rver would leave the answer open.
        .then(
          (facts) => facts['content-length'] === 0,
          () => false,
        )
        .then((isEmpty) => (isEmpty ? refuse(response, 416, 'InvalidRange') : handle(request, response)));
    if (request.method !== 'PUT') return void handle(request, response);
    const before = race;
    race = null;
    const inTurn = () => {
      writing = writing.then(() => write(request, response, key));
    };
    if (before === null) inTurn();
    else void before().then(inTurn);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    bucket,
    requests,
    fill: (keys, text) => {
      for (const key of keys) {
        const file = join(directory, bucket, `${key}._S3rver_object`);
        mkdirSync(dirname(file), { recursive: true });
        writeFileSync(file, text);
      }
    },
    beforeWrite: (next) => {
      race = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => {
          rmSync(directory, { recursive: true, force: true });
          resolve();
        });
      }),
  };
}

/** Of several deletions at once, s3rver fails those whose empty folder another one has removed. */
function deleteInTurn({ store }: S3rver): void {
  const remove = store.deleteObject.bind(store);
  let last: Promise<void> = Promise.resolve();
  store.deleteObject = (bucket, key) => {
    last = last.then(() => remove(bucket, key));
    return last;
  };
}

/**
 * A page of a listing as S3 makes it: keys and folders in one order and under one bound. s3rver's own forgets folders that
 * hold only folders, and its marks of where to go on need a cipher that is no more.
 */
async function list({ store }: S3rver, bucket: string, query: URLSearchParams): Promise<string> {
  const prefix = query.get('prefix') ?? '';
  const delimiter = query.get('delimiter');
  const maxKeys = Math.min(1_000, Number(query.get('max-keys') ?? 1_000));
  const after = Buffer.from(query.get('continuation-token') ?? '', 'base64').toString();
  const { objects } = await store.listObjects(bucket, { prefix });
  const entries = new Map<string, string>();
  for (const { key, size, lastModifiedDate, metadata } of objects) {
    const end = delimiter === null ? -1 : key.indexOf(delimiter, prefix.length);
    const name = end < 0 ? key : key.slice(0, end + 1);
    const facts = `<LastModified>${lastModifiedDate.toISOString()}</LastModified><ETag>${escaped(metadata.etag)}</ETag><Size>${size}</Size>`;
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
  return `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult><IsTruncated>${last !== undefined}</IsTruncated>${next}${page.map(([, xml]) => xml).join('')}</ListBucketResult>`;
}

const escaped = (text: string): string => text.replace(/[&<>"\r\n]/g, (char) => `&#${char.charCodeAt(0)};`);

function refuse(response: ServerResponse, status: number, code: string): void {
  response.writeHead(status, { 'content-type': 'application/xml', connection: 'close' });
  response.end(
    `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`,
  );
}
