import type { DrawFrame, Video } from '../harness/agent/media/video';
import { isolatedView } from './isolated-view';
import { rangeOf, VIDEO_PAGE, VIDEO_POLICY, VIDEO_SCHEME, VIDEO_SCRIPT } from './video-scheme';

/** Milliseconds for one video, including the start of its page. It usually takes a tenth of a second. */
const DEADLINE = 10_000;
/** Maximum pixels of the image's longer side. */
const MAX_SIDE = 1_024;
const PNG_URL = 'data:image/png;base64,';

/** One at a time, because each has its own process. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Draws a frame with Chromium, which has the decoders and a sandbox: in a hidden page with an in-memory session that reaches
 * only the video and is destroyed afterwards. Null if Chromium cannot decode it in ten seconds.
 */
export const drawFrame: DrawFrame = async (video, signal) => {
  const before = last;
  const drawing = before.then(() => (signal.aborted ? null : drawOne(video, signal)));
  last = drawing.catch(() => undefined);
  const png = await drawing;
  signal.throwIfAborted();
  return png;
};

async function drawOne(video: Video, signal: AbortSignal): Promise<Uint8Array | null> {
  const { webContents } = isolatedView(VIDEO_SCHEME, (request) => answerFor(request, video));
  const { protocol } = webContents.session;
  webContents.setAudioMuted(true);
  let timer: NodeJS.Timeout | undefined;
  let stop = () => {};
  try {
    const gaveUp = new Promise<null>((resolve) => {
      stop = () => resolve(null);
      signal.addEventListener('abort', stop, { once: true });
      timer = setTimeout(stop, DEADLINE);
      webContents.once('render-process-gone', stop);
    });
    const drawn = webContents
      .loadURL(`${VIDEO_SCHEME}://frame/page`)
      .then(() => webContents.executeJavaScript(`frameOf(${video.at}, ${MAX_SIDE})`))
      .catch(() => null);
    const url: unknown = await Promise.race([drawn, gaveUp]);
    if (typeof url !== 'string' || !url.startsWith(PNG_URL)) return null;
    return new Uint8Array(Buffer.from(url.slice(PNG_URL.length), 'base64'));
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    if (!webContents.isDestroyed()) webContents.close();
    protocol.unhandle(VIDEO_SCHEME);
  }
}

function answerFor(request: Request, { bytes, mimeType }: Video): Response {
  const common = { 'content-security-policy': VIDEO_POLICY, 'x-content-type-options': 'nosniff' };
  switch (new URL(request.url).pathname) {
    case '/page':
      return new Response(VIDEO_PAGE, { headers: { ...common, 'content-type': 'text/html; charset=utf-8' } });
    case '/draw.js':
      return new Response(VIDEO_SCRIPT, { headers: { ...common, 'content-type': 'text/javascript' } });
    case '/content':
      break;
    default:
      return new Response('Not found', { status: 404 });
  }
  const headers = { ...common, 'content-type': mimeType, 'accept-ranges': 'bytes' };
  const range = rangeOf(request.headers.get('range'), bytes.byteLength);
  if (range === null) {
    return new Response(new Uint8Array(bytes), {
      headers: { ...headers, 'content-length': String(bytes.byteLength) },
    });
  }
  const { from, to } = range;
  return new Response(new Uint8Array(bytes.subarray(from, to + 1)), {
    status: 206,
    headers: {
      ...headers,
      'content-length': String(to + 1 - from),
      'content-range': `bytes ${from}-${to}/${bytes.byteLength}`,
    },
  });
}
