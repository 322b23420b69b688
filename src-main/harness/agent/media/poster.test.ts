import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { optional } from '../../../contract/shared/optional';
import type { ReadResult } from '../../backends/protocol';
import { readMedia } from '../../tools/read-media';
import { setFfmpeg } from './ffmpeg';
import { pngOf } from './testing/files';
import type { DrawFrame, Video } from './video';

const png = pngOf(20, 10);
const webm = new Uint8Array(Buffer.from('\x1a\x45\xdf\xa3 and so on', 'latin1'));
const SEES = { images: true, audio: false, video: false, pdf: false };
const SENTENCE =
  '[Video a.webm: video/webm, 14 bytes. It cannot be shown to you: the current model does not support video.]';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'deepdesk-poster-'));
});
afterEach(() => setFfmpeg(undefined));
afterAll(() => rm(folder, { recursive: true, force: true }));

const read = (drawFrame: DrawFrame | undefined, modalities = SEES, signal = new AbortController().signal) => {
  const result: ReadResult & { content: Uint8Array } = { content: webm, mimeType: 'video/webm' };
  return readMedia({
    ...{ path: '/a.webm', result, offset: 0, limit: 100, column: 0, tokenLimit: null },
    ...optional({ drawFrame }),
    modalities,
    signal,
  });
};

const drawn = {
  ok: true,
  text: '[Video a.webm: video/webm, 14 bytes. It cannot be shown to you: the current model does not support video. Here is one frame instead, from 0.0 s.]',
  media: [
    {
      type: 'image',
      mimeType: 'image/png',
      data: Buffer.from(png).toString('base64'),
      metadata: { filename: 'a.webm.png' },
    },
  ],
};

/** A program that replaces ffmpeg. */
async function program(name: string, script: string): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return file;
}

describe('a video for a model with image but no video input', () => {
  it('becomes one frame, drawn by whichever renderer works', async () => {
    setFfmpeg(null);
    const asked: Video[] = [];
    const draw: DrawFrame = (video) => {
      asked.push(video);
      return Promise.resolve(png);
    };
    expect(await read(draw)).toEqual(drawn);
    expect(asked).toEqual([{ bytes: webm, mimeType: 'video/webm', at: 0 }]);
  });

  it('becomes the plain sentence if no frame can be drawn', async () => {
    setFfmpeg(null);
    expect(await read(undefined)).toEqual({ ok: true, text: SENTENCE });
    expect(await read(() => Promise.resolve(null))).toEqual({ ok: true, text: SENTENCE });
    expect(await read(() => Promise.resolve(Buffer.from('no picture')))).toEqual({
      ok: true,
      text: SENTENCE,
    });
  });

  it('becomes the plain sentence without image input, and nothing is drawn', async () => {
    const draw: DrawFrame = () => Promise.reject(new Error('not to be asked'));
    expect(await read(draw, { ...SEES, images: false })).toEqual({ ok: true, text: SENTENCE });
  });

  it('stays a video for a model with video input', async () => {
    const draw: DrawFrame = () => Promise.reject(new Error('not to be asked'));
    expect(await read(draw, { ...SEES, video: true })).toMatchObject({
      text: '[Video a.webm: video/webm, 14 bytes]',
      media: [{ type: 'video', mimeType: 'video/webm' }],
    });
  });
});

describe.skipIf(process.platform === 'win32')('ffmpeg', () => {
  it('draws the frame if installed, without our environment or other files', async () => {
    await writeFile(join(folder, 'frame.png'), png);
    const log = join(folder, 'log');
    setFfmpeg(await program('good', `{ env; echo "$@"; } > '${log}'; cat '${join(folder, 'frame.png')}'`));
    process.env.POSTER_CANARY = 'canary';
    const before = (await readdir(tmpdir())).filter((name) => name.startsWith('deepdesk-video-'));
    try {
      expect(await read(() => Promise.reject(new Error('not to be asked')))).toEqual(drawn);
    } finally {
      delete process.env.POSTER_CANARY;
    }
    const told = await readFile(log, 'utf8');
    expect(told).not.toContain('canary');
    expect(told).toMatch(/-protocol_whitelist file .*-f matroska -i \S+\/video -map 0:v:0/u);
    expect((await readdir(tmpdir())).filter((name) => name.startsWith('deepdesk-video-'))).toEqual(before);
  });

  it('leaves the video to the next renderer if it fails', async () => {
    setFfmpeg(await program('bad', 'echo broken >&2; exit 1'));
    expect(await read(() => Promise.resolve(png))).toEqual(drawn);
    expect(await read(undefined)).toEqual({ ok: true, text: SENTENCE });
  });

  it('is killed when the turn is stopped', async () => {
    setFfmpeg(await program('slow', 'exec sleep 60'));
    const stopped = new AbortController();
    const reading = read(undefined, SEES, stopped.signal);
    setImmediate(() => stopped.abort(new Error('stopped')));
    await expect(reading).rejects.toThrow('stopped');
  });
});
