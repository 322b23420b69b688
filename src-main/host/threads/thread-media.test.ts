import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ThreadId } from '../../contract/ids';
import type { Media } from '../../contract/shared/media';
import { gifOf, pngOf } from '../../harness/agent/media/testing/files';
import { ThreadMedia } from './thread-media';

const T = ThreadId.parse('thread');
const OTHER = ThreadId.parse('fork');
const base64 = (bytes: Uint8Array | string) => Buffer.from(bytes).toString('base64');
const image = (data: string, mimeType = 'image/png'): Media => ({
  kind: 'image',
  mimeType,
  data,
  name: 'a.png',
});

describe('the images of a thread', () => {
  let folder = '';
  let media: ThreadMedia;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'deepdesk-pictures-'));
    media = new ThreadMedia(folder);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('are stored once, with their layout data and their real type', async () => {
    const png = base64(pngOf(40, 30));
    const [first] = await media.keep(T, [image(png, 'image/jpeg')]);
    const [second] = await media.keep(T, [image(png)]);
    expect(first).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{64}$/u) as unknown,
      kind: 'image',
      mimeType: 'image/png',
      bytes: 75,
      name: 'a.png',
      width: 40,
      height: 30,
    });
    expect(second).toEqual(first);
    expect(await readdir(join(folder, 'media', T))).toEqual([first?.id]);
    expect(await media.read(T, first?.id ?? '')).toEqual({
      ok: true,
      value: { mimeType: 'image/png', data: png },
    });
  });

  it('include only those that are safe to show', async () => {
    const kept = await media.keep(T, [
      image(base64('<svg onload="alert(1)"/>'), 'image/png'),
      image(base64(pngOf(4, 4).subarray(0, 50))),
      { kind: 'file', mimeType: 'application/pdf', data: base64('%PDF-1.7'), name: undefined },
    ]);
    expect(kept.map(({ id }) => id)).toEqual([null, null, null]);
    expect(await readdir(folder)).toEqual([]);
  });

  it('report if they are too large, including those from an earlier version [safety 24]', async () => {
    const large = gifOf(10_001, 10_000);
    const [kept] = await media.keep(T, [image(base64(large), 'image/gif')]);
    expect(kept).toMatchObject({ id: null, refused: 'too_large' });
    const [heavy] = await media.keep(T, [image('A'.repeat(15_000_000))]);
    expect(heavy).toMatchObject({ id: null, refused: 'too_large' });
    const id = createHash('sha256').update(large).digest('hex');
    await mkdir(join(folder, 'media', T), { recursive: true });
    await writeFile(join(folder, 'media', T, id), large);
    expect(await media.read(T, id)).toMatchObject({ ok: false, error: { kind: 'too_large' } });
  });

  it('are shown in a fork too, even after the original thread is gone', async () => {
    const [kept] = await media.keep(T, [image(base64(pngOf(4, 4)))]);
    const id = kept?.id ?? '';
    expect((await media.read(OTHER, id)).ok).toBe(true);
    await media.sweep((thread) => thread === OTHER);
    expect((await media.read(OTHER, id)).ok).toBe(true);
    await media.sweep(() => false);
    expect(await media.read(OTHER, id)).toMatchObject({ ok: false, error: { kind: 'not_found' } });
  });

  it('are not shown if something else has replaced them', async () => {
    const [kept] = await media.keep(T, [image(base64(pngOf(4, 4)))]);
    await writeFile(join(folder, 'media', T, kept?.id ?? ''), pngOf(5, 5));
    expect((await media.read(T, kept?.id ?? '')).ok).toBe(false);
  });
});
