import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { describeBackend } from '../backend.contract';
import { type S3Server, startS3 } from '../testing/s3-server';
import { S3Backend } from './s3-backend';

const clientOf = (server: S3Server, maxAttempts = 1) =>
  new S3Client({
    endpoint: server.url,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId: 'id', secretAccessKey: 'secret' },
    // Plain bodies, as servers other than Amazon's need them.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts,
  });

let shared: S3Server;
let client: S3Client;
let nth = 0;
beforeAll(async () => {
  shared = await startS3();
  client = clientOf(shared);
});
afterAll(async () => {
  client.destroy();
  await shared.close();
});

describeBackend("S3Backend on a bucket's prefix", async () => ({
  backend: new S3Backend({ client, bucket: shared.bucket, prefix: `folder-${++nth}` }),
}));

const setUp = async (conditions?: 'kept' | 'refused' | 'ignored', maxAttempts?: number) => {
  const server = await startS3(conditions);
  const client = clientOf(server, maxAttempts);
  onTestFinished(async () => {
    client.destroy();
    await server.close();
  });
  return { server, client, backend: new S3Backend({ client, bucket: server.bucket }) };
};

describe('S3Backend', () => {
  it('lists and deletes more than a page of keys', async () => {
    const { server, backend } = await setUp();
    server.fill(
      Array.from({ length: 1_203 }, (_, n) => `d/f${n + 10_000}`),
      'x',
    );
    server.fill(['d/sub/deep', 'd2'], 'x');
    const listed = await backend.ls('/d', { limit: 2_000 });
    expect([listed.files?.length, listed.files?.at(-1)?.path]).toEqual([1_204, '/d/sub/']);
    expect((await backend.glob('f*', '/d')).files).toHaveLength(1_203);
    expect((await backend.grep('x', '/d', 'f11202')).matches).toHaveLength(1);
    expect(await backend.delete('/d')).toEqual({ path: '/d', filesUpdate: null });
    expect((await backend.ls('/')).files?.map(({ path }) => path)).toEqual(['/d2']);
  }, 90_000);

  it('reads pages of a large text in ranges, and knows its lines the second time', async () => {
    const { server, backend } = await setUp();
    const lines = Array.from({ length: 400_000 }, (_, n) => `line ${n}`);
    await backend.write('/big.txt', lines.join('\n'));
    server.requests.length = 0;
    expect(await backend.read('/big.txt', 10, 2)).toMatchObject({
      content: 'line 10\nline 11',
      nextOffset: 12,
      mimeType: 'text/plain',
    });
    const far = () => backend.read('/big.txt', 300_000, 1);
    expect((await far()).content).toBe('line 300000');
    const whole = server.requests.filter((request) => !request.includes(' bytes='));
    expect(whole).toEqual([]);
    server.requests.length = 0;
    expect((await far()).content).toBe('line 300000');
    // The start of the file, the block that contains the line, and the page.
    expect(server.requests.length).toBeLessThanOrEqual(5);
    expect((await backend.read('/big.txt', 399_999)).content).toBe('line 399999');
    expect((await backend.read('/big.txt', 400_000)).kind).toBe('invalid');
  });

  it('reads, edits and replaces text in other encodings, and keeps the form', async () => {
    const { server, client, backend } = await setUp();
    const stored = async () => Buffer.from((await backend.downloadFiles(['/a.txt']))[0]?.content ?? []);
    for (const encode of [
      (text: string) => Buffer.from(`\uFEFF${text}`),
      (text: string) => Buffer.from(`\uFEFF${text}`, 'utf16le'),
      (text: string) => Buffer.from(text, 'latin1'),
    ]) {
      const Body = encode('caf\u00e9\r\ntwo\r\n');
      await client.send(new PutObjectCommand({ Bucket: server.bucket, Key: 'a.txt', Body }));
      expect((await backend.read('/a.txt')).content).toBe('caf\u00e9\ntwo');
      expect((await backend.edit('/a.txt', 'caf\u00e9', '\u00fcber')).occurrences).toBe(1);
      expect(await stored()).toEqual(encode('\u00fcber\r\ntwo\r\n'));
      await backend.write('/a.txt', 'n\u00e9w\nlines\n');
      expect(await stored()).toEqual(encode('n\u00e9w\r\nlines\r\n'));
    }
  });

  it('takes the page of a proxy neither for a listing nor for a file', async () => {
    const proxy = createServer((_request, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Sign in</h1>'),
    );
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const client = clientOf({ url } as S3Server);
    onTestFinished(async () => {
      client.destroy();
      await new Promise((resolve) => proxy.close(resolve));
    });
    const backend = new S3Backend({ client, bucket: 'notes' });
    for (const failed of [
      backend.ls('/'),
      backend.glob('**'),
      backend.grep('Sign'),
      backend.read('/a.html'),
      backend.edit('/a.html', 'Sign', 'x'),
      backend.write('/a.html', 'x'),
      backend.delete('/a.html'),
    ])
      expect(await failed).toMatchObject({ kind: 'network' });
    expect((await backend.downloadFiles(['/a.html']))[0]?.content).toBeNull();
  });

  it('replays an edit on what somebody else has written in between', async () => {
    const { server, client, backend } = await setUp();
    const other = new S3Backend({ client, bucket: server.bucket });
    await backend.write('/a.txt', 'x');
    server.beforeWrite(async () => {
      await client.send(new PutObjectCommand({ Bucket: server.bucket, Key: 'a.txt', Body: 'start x end' }));
    });
    expect((await backend.edit('/a.txt', 'x', 'xx')).error).toBeUndefined();
    expect((await other.read('/a.txt')).content).toBe('start xx end');
  });

  it('does not take its own write for that of somebody else if the answer is lost', async () => {
    const { server, client, backend } = await setUp('kept', 2);
    const lost = <T>(change: () => Promise<T>) => {
      server.loseAnswers(1);
      return change();
    };
    expect(await lost(() => backend.write('/a.txt', 'x', { createOnly: true }))).toMatchObject({
      path: '/a.txt',
    });
    expect(await lost(() => backend.edit('/a.txt', 'x', 'xx'))).toMatchObject({ occurrences: 1 });
    expect(server.text('a.txt')).toBe('xx');
    const { version = '' } = await backend.read('/a.txt');
    const written = await lost(() => backend.write('/a.txt', 'new', { expectedVersion: version }));
    expect(written.version).toBe((await backend.read('/a.txt')).version);
    expect(await lost(() => backend.delete('/a.txt'))).toEqual({ path: '/a.txt', filesUpdate: null });
    server.beforeWrite(async () => {
      await client.send(new PutObjectCommand({ Bucket: server.bucket, Key: 'b.txt', Body: 'theirs' }));
    });
    expect((await lost(() => backend.write('/b.txt', 'mine', { createOnly: true }))).kind).toBe('conflict');
  });

  it('rejects a write if a version or an existing file forbids it, even one that appeared in between', async () => {
    const { server, client, backend } = await setUp();
    const race = (Key: string) =>
      server.beforeWrite(async () => {
        await client.send(new PutObjectCommand({ Bucket: server.bucket, Key, Body: 'theirs' }));
      });
    await backend.write('/a.txt', 'one');
    const { version = '' } = await backend.read('/a.txt');
    race('a.txt');
    expect((await backend.write('/a.txt', 'mine', { expectedVersion: version })).kind).toBe('stale');
    race('b.txt');
    expect((await backend.write('/b.txt', 'mine', { createOnly: true })).kind).toBe('conflict');
    expect((await backend.read('/a.txt')).content).toBe('theirs');
    expect((await backend.read('/b.txt')).content).toBe('theirs');
  });

  it('does not delete what somebody else has changed', async () => {
    const { server, client, backend } = await setUp();
    await backend.write('/a.txt', 'one');
    server.beforeWrite(async () => {
      await client.send(new PutObjectCommand({ Bucket: server.bucket, Key: 'a.txt', Body: 'theirs' }));
    });
    expect((await backend.delete('/a.txt')).kind).toBe('stale');
    expect((await backend.delete('/a.txt', { expectedVersion: 'old' })).kind).toBe('stale');
    expect((await backend.read('/a.txt')).content).toBe('theirs');
    const { version = '' } = await backend.read('/a.txt');
    expect((await backend.delete('/a.txt', { expectedVersion: version })).error).toBeUndefined();
    expect((await backend.delete('/a.txt')).kind).toBe('not_found');
  });

  it('does not fetch an object that is too large to be held', async () => {
    const { server, backend } = await setUp();
    server.fill(['disk.bin'], '\0'.repeat(64 * 1024 * 1024 + 1));
    for (const read of [() => backend.read('/disk.bin'), () => backend.readRaw('/disk.bin')])
      expect((await read()).kind).toBe('too_large');
    expect((await backend.downloadFiles(['/disk.bin']))[0]?.content).toBeNull();
  });

  it.each(['refused', 'ignored'] as const)('works if conditions are %s', async (conditions) => {
    const { backend } = await setUp(conditions);
    expect((await backend.write('/a.txt', 'one', { createOnly: true })).error).toBeUndefined();
    expect((await backend.write('/a.txt', 'two', { createOnly: true })).kind).toBe('conflict');
    expect((await backend.edit('/a.txt', 'one', 'two')).occurrences).toBe(1);
    expect((await backend.read('/a.txt')).content).toBe('two');
    expect((await backend.delete('/a.txt')).error).toBeUndefined();
    expect((await backend.read('/a.txt')).kind).toBe('not_found');
  });

  it('starts a download again that breaks off, and gives up after three times', async () => {
    const { server, backend } = await setUp();
    const text = Array.from({ length: 400_000 }, (_, n) => `line ${n}`).join('\n');
    await backend.write('/big.txt', text);
    server.fill(
      Array.from({ length: 20 }, (_, n) => `d/f${n}`),
      'needle',
    );
    server.breakOff(2);
    expect((await backend.readRaw('/big.txt')).data?.content).toBe(text);
    server.breakOff(1);
    expect((await backend.read('/big.txt', 300_000, 1)).content).toBe('line 300000');
    server.breakOff(2);
    expect((await backend.grep('needle', '/d')).matches).toHaveLength(20);
    server.breakOff(3);
    expect((await backend.readRaw('/big.txt')).kind).toBe('network');
  });

  it('reports an unavailable bucket', async () => {
    const { server, backend } = await setUp();
    await server.close();
    expect((await backend.read('/a.txt')).kind).toBe('network');
    expect((await backend.write('/a.txt', 'x')).kind).toBe('network');
    expect((await backend.ls('/')).kind).toBe('network');
    expect(await backend.downloadFiles(['/a.txt'])).toEqual([
      { path: '/a.txt', content: null, error: 'permission_denied' },
    ]);
  });
});
