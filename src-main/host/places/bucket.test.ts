import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { startS3 } from '../../harness/backends/testing/s3-server';
import type { Part } from '../testing/slow-model';
import { bucketAt } from './bucket';
import { instanceWith, openPlaceOf } from './testing/instance';

const KEY = { accessKeyId: 'AKIAEXAMPLE', secret: 'wJalrXUtnFEMI/K7MDENG' };

/** A server that checks signatures, and a place in it. */
async function startBucket(accessKey: typeof KEY | undefined = KEY) {
  const server = await startS3('kept', accessKey);
  onTestFinished(() => server.close());
  const options = {
    kind: 'bucket' as const,
    bucket: server.bucket,
    prefix: 'notes',
    region: 'eu-central-1',
    endpoint: server.url,
    accessKeyId: KEY.accessKeyId,
  };
  return { server, options };
}

const reached = (...[options, secret]: Parameters<typeof openPlaceOf>) =>
  openPlaceOf(options, secret).connection.check(AbortSignal.timeout(10_000));

const FILE = '/bucket/style.md';
const read = { name: 'read_file', args: { file_path: FILE } };
const write = (content: string) => ({ name: 'write_file', args: { file_path: FILE, content } });

describe('the address of a bucket', () => {
  const amazon = {
    kind: 'bucket' as const,
    bucket: 'b',
    prefix: '',
    region: 'eu-west-1',
    endpoint: '',
    accessKeyId: '',
  };

  it.each([
    [{}, { host: 's3.eu-west-1.amazonaws.com', prefix: '' }],
    [{ prefix: '/a/b/' }, { prefix: 'a/b/' }],
    [{ endpoint: 'http://127.0.0.1:9000' }, { host: '127.0.0.1:9000', endpoint: 'http://127.0.0.1:9000/' }],
  ])('is read from %j', (part, value) => {
    expect(bucketAt({ ...amazon, ...part })).toMatchObject({ ok: true, value });
  });

  it.each([
    [{ bucket: '../b' }, 'place_bucket_name'],
    [{ region: 'x.example.org/' }, 'place_bucket_region'],
    [{ endpoint: 'example.org' }, 'place_bucket_endpoint'],
    [{ endpoint: 'file:///etc' }, 'place_bucket_endpoint'],
    [{ endpoint: 'https://id:secret@example.org' }, 'place_bucket_endpoint'],
  ])('is refused in %j', (part, code) => {
    expect(bucketAt({ ...amazon, ...part })).toMatchObject({ ok: false, error: { kind: 'invalid', code } });
  });
});

describe('a bucket as a place', () => {
  it('says whether the key, the bucket and the server are right', async () => {
    const { options } = await startBucket();
    expect(await reached(options, KEY.secret)).toMatchObject({ phase: 'connected' });
    expect(await reached(options, 'wrong')).toMatchObject({
      phase: 'refused',
      error: { code: 'place_bucket_key', detail: expect.stringContaining('SignatureDoesNotMatch') },
    });
    expect(await reached({ ...options, accessKeyId: 'other' }, KEY.secret)).toMatchObject({
      phase: 'refused',
      error: { code: 'place_bucket_key' },
    });
    expect(await reached(options, null)).toMatchObject({
      phase: 'refused',
      error: { code: 'place_bucket_secret' },
    });
    expect(await reached({ ...options, bucket: 'none' }, KEY.secret)).toMatchObject({
      phase: 'refused',
      error: { code: 'place_bucket_none', values: { bucket: 'none' } },
    });
  });

  it('says that a web server is not an S3 server, and that nobody answers', async () => {
    const { options } = await startBucket();
    const web = createServer((_request, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Hello</h1>'),
    );
    await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
    const endpoint = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
    expect(await reached({ ...options, endpoint }, KEY.secret)).toMatchObject({
      phase: 'refused',
      error: { code: 'place_bucket_protocol' },
    });
    await new Promise((resolve) => web.close(resolve));
    expect(await reached({ ...options, endpoint }, KEY.secret)).toMatchObject({
      phase: 'offline',
      error: { code: 'place_unreachable' },
    });
  });

  it('uses no key of the environment, and needs none where the bucket is public', async () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', KEY.accessKeyId);
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', KEY.secret);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { options } = await startBucket();
    expect(await reached({ ...options, accessKeyId: '' }, null)).toMatchObject({
      phase: 'refused',
      error: { code: 'place_bucket_rights' },
    });
    const open = await startS3();
    onTestFinished(() => open.close());
    open.fill(['notes/a.md'], 'public');
    const { files } = openPlaceOf({ ...options, endpoint: open.url, accessKeyId: '' }, null);
    expect((await files.read('/a.md')).content).toBe('public');
  });

  it('has its secret in the environment where there is no keychain, as in the headless command', async () => {
    const { server, options } = await startBucket();
    server.fill(['notes/style.md'], 'two spaces');
    const env = { ...process.env, DEEPDESK_PLACE_BUCKET: KEY.secret };
    const t = await instanceWith('/bucket/', options, null, [[read], ['Done.']], { env });
    expect(await t.go()).toContain('two spaces');
  });

  it('is written by the agent of one instance, read in another, and changes are undone', async () => {
    const { server, options } = await startBucket();
    const script = [[write('two spaces')], ['Done.']];
    const ada = await instanceWith('/bucket/', options, KEY.secret, script);
    await ada.go();
    expect(server.text('notes/style.md')).toBe('two spaces');
    const ben = await instanceWith('/bucket/', options, KEY.secret, [[read], ['Done.']]);
    expect(await ben.go()).toContain('two spaces');
    expect(await ada.revert()).toMatchObject({ status: 'done', files: 1 });
    expect(server.text('notes/style.md')).toBeUndefined();
  });

  it("never overwrites another writer's change, and undoes none", async () => {
    const { server, options } = await startBucket();
    server.fill(['notes/style.md'], 'two');
    const edit = { name: 'edit_file', args: { file_path: FILE, old_string: 'two', new_string: 'four' } };
    const script: Part[][] = [[read], [edit], ['Done.']];
    const ada = await instanceWith('/bucket/', options, KEY.secret, script);
    // Somebody changes the file between the agent's last read and its write.
    server.beforeWrite(async () => server.fill(['notes/style.md'], 'two or three'));
    await ada.go();
    expect(['two or three', 'four or three']).toContain(server.text('notes/style.md'));
    server.fill(['notes/style.md'], 'theirs');
    await ada.revert();
    expect(server.text('notes/style.md')).toBe('theirs');
  });

  it('tells the agent what was not saved while nobody answers, and works again afterwards', async () => {
    const { server, options } = await startBucket();
    const script = [[write('lost')], ['Done.'], [write('kept')], ['Done.']];
    const t = await instanceWith('/bucket/', options, KEY.secret, script);
    server.cut();
    expect(await t.go()).toMatch(/cannot be used now.*Couldn't reach/s);
    const { id, state } = await t.place();
    expect(state).toMatchObject({ phase: 'offline', error: { code: 'place_unreachable' } });
    server.restore();
    expect(await t.window.must('places.check', { id })).toMatchObject({ state: { phase: 'connected' } });
    await t.go();
    expect(server.text('notes/style.md')).toBe('kept');
  });

  it('lists a large bucket in pages, and stops when nobody waits any more', async () => {
    const { server, options } = await startBucket();
    server.fill(
      Array.from({ length: 5_200 }, (_, n) => `notes/f${n + 10_000}.md`),
      'x',
    );
    const { files } = openPlaceOf(options, KEY.secret);
    const listed = await files.ls('/', { limit: 100 });
    expect(listed.files).toHaveLength(100);
    expect((await files.glob('f152*', '/')).files).toHaveLength(0);
    const stop = new AbortController();
    let pages = 0;
    server.watch(() => {
      pages += 1;
      if (pages === 2) stop.abort(new Error('stopped'));
    });
    await expect(files.glob('f*', '/', { signal: stop.signal })).rejects.toThrow('stopped');
    await files.read('/f10000.md');
    // Two pages of the listing, and the read.
    expect(pages).toBe(3);
  });
});
