import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { startAnthropic } from './providers/anthropic';
import { inTurn } from './providers/script';
import { expect, giveToApp, makeFolder, test } from './support/app';
import { addFolder, chooseModel, idle, messages, say, skipFirstRun } from './support/window';

/** A second of red, recorded by the page itself. */
async function recordVideo(page: Page): Promise<Buffer> {
  const base64 = await page.evaluate(async () => {
    const canvas = document.createElement('canvas');
    canvas.width = 160;
    canvas.height = 120;
    const pen = canvas.getContext('2d');
    // Before the recording starts: its first frame is what is on the canvas.
    const fill = (red: number) => {
      if (pen) pen.fillStyle = `rgb(${red}, 10, 10)`;
      pen?.fillRect(0, 0, 160, 120);
    };
    fill(200);
    const recorder = new MediaRecorder(canvas.captureStream(20), { mimeType: 'video/webm' });
    const parts: Blob[] = [];
    const stopped = new Promise((resolve) => (recorder.onstop = resolve));
    let size = 0;
    recorder.start(100);
    await new Promise<void>((resolve) => {
      let frames = 0;
      recorder.ondataavailable = ({ data }) => {
        parts.push(data);
        size += data.size;
      };
      const draw = () => {
        fill(200 + (frames % 2));
        frames += 1;
        // On a busy machine frames reach the recorder late: a video with only headers has no picture.
        if (frames < 20 || size < 2_000) requestAnimationFrame(draw);
        else resolve();
      };
      draw();
    });
    recorder.stop();
    await stopped;
    const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  });
  return Buffer.from(base64, 'base64');
}

test('a model that takes images but no video gets one frame, and learns when a video is damaged', async ({
  launchApp,
}) => {
  const folder = makeFolder('project');
  const read = (name: string) => ({
    calls: [{ name: 'read_file', args: { file_path: join(folder, name) } }],
  });
  const server = await startAnthropic(inTurn([read('red.webm'), read('cut.webm'), { text: 'All seen.' }]));
  try {
    const { app, page } = await launchApp({
      folder,
      env: { ANTHROPIC_API_KEY: 'test-key', ANTHROPIC_BASE_URL: server.url },
    });
    await skipFirstRun(page);
    await addFolder({ app, page }, folder);
    const recorded = await recordVideo(page);
    writeFileSync(join(folder, 'red.webm'), recorded);
    writeFileSync(join(folder, 'cut.webm'), recorded.subarray(0, 60));
    giveToApp(folder);
    await chooseModel(page, 'Anthropic', 'claude-sonnet-4-5', 'Claude Sonnet 4.5');
    // What nothing refers to disappears while the page loads: the hidden page must not be among it.
    await app.evaluate(({ app: own }) => {
      process.getBuiltinModule('node:v8').setFlagsFromString('--expose-gc');
      const collect: unknown = process.getBuiltinModule('node:vm').runInNewContext('gc');
      own.on('web-contents-created', (_event, contents) => {
        contents.once('did-start-loading', () =>
          setImmediate(() => typeof collect === 'function' && collect()),
        );
      });
    });
    await say(page, 'look at the videos');
    await expect(messages(page)).toContainText('All seen.');
    await idle(page);

    const [, second, third] = server.requests.map(({ body }) => JSON.stringify(body));
    expect(second).toContain('Here is one frame instead, from 0.0 s.');
    const data = /"media_type":"image\/png","data":"([^"]+)"/.exec(second ?? '')?.[1] ?? '';
    // The drawn frame comes from the video: the page reads the color of a pixel in its middle.
    const color = await page.evaluate(async (source) => {
      const image = new Image();
      image.src = `data:image/png;base64,${source}`;
      await image.decode();
      const canvas = document.createElement('canvas');
      canvas.width = image.width;
      canvas.height = image.height;
      const pen = canvas.getContext('2d');
      pen?.drawImage(image, 0, 0);
      const [red = 0, green = 0, blue = 0] = pen?.getImageData(80, 60, 1, 1).data ?? [];
      return { size: [image.width, image.height], isRed: red > 150 && green < 80 && blue < 80 };
    }, data);
    expect(color).toEqual({ size: [160, 120], isRed: true });
    const isCut =
      /\[Video cut\.webm: video\/webm, 60 bytes\. It cannot be shown to you: the current model does not support video\.\]/;
    expect(third).toMatch(isCut);
    // The page that drew it is gone.
    await expect
      .poll(() => app.evaluate(({ webContents }) => webContents.getAllWebContents().length))
      .toBe(1);
  } finally {
    await server.close();
  }
});
