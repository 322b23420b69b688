import type { DrawFrame, Film } from '../harness/agent/media/video';
import { isolatedView } from './isolated-view';
import { FILM_PAGE, FILM_POLICY, FILM_SCHEME, FILM_SCRIPT, rangeOf } from './video-scheme';

/** Milliseconds for one video, its page's start included. */
const DEADLINE = 10_000;
/** Pixels of the picture's longer side. */
const MAX_SIDE = 1_024;
const PNG_URL = 'data:image/png;base64,';

/** One at a time: each has a process of its own. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Draws a frame with Chromium, which has the decoders and a sandbox: a page that is never shown, in a session that is
 * in memory only, reaches nothing but the video, and is gone afterwards. Null where Chromium cannot decode it in ten seconds.
 */
export const drawFrame: DrawFrame = async (film, signal) => {
  const before = last;
  const drawing = before.then(() => (signal.aborted ? null : drawOne(film, signal)));
  last = drawing.catch(() => undefined);
  const png = await drawing;
  signal.throwIfAborted();
  return png;
};

async function drawOne(film: Film, signal: AbortSignal): Promise<Uint8Array | null> {
  const view = isolatedView(FILM_SCHEME, (request) => answerFor(request, film));
  const { webContents } = view;
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
      .loadURL(`${FILM_SCHEME}://frame/page`)
      .then(() => webContents.executeJavaScript(`frameOf(${film.at}, ${MAX_SIDE})`))
      .catch(() => null);
    const url: unknown = await Promise.race([drawn, gaveUp]);
    if (typeof url !== 'string' || !url.startsWith(PNG_URL)) return null;
    return new Uint8Array(Buffer.from(url.slice(PNG_URL.length), 'base64'));
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    if (!webContents.isDestroyed()) webContents.close();
    protocol.unhandle(FILM_SCHEME);
  }
}

function answerFor(request: Request, { bytes, mimeType }: Film): Response {
  const common = { 'content-security-policy': FILM_POLICY, 'x-content-type-options': 'nosniff' };
  switch (new URL(request.url).pathname) {
    case '/page':
      return new Response(FILM_PAGE, { headers: { ...common, 'content-type': 'text/html; charset=utf-8' } });
    case '/draw.js':
      return new Response(FILM_SCRIPT, { headers: { ...common, 'content-type': 'text/javascript' } });
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
