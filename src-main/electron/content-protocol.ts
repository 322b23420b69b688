import { protocol } from 'electron';
import type { OpenContent } from '../host/project/files/file-content';
import { rangeOf } from './video-scheme';

/** Serves files that the renderer shows as images, audio or video, only under addresses that `files.address` issued. */
export const CONTENT_SCHEME = 'content';

/** Bytes per read. */
const PIECE = 256 * 1024;

/** Nothing in a file may run or load anything, wherever it is shown. */
const HEADERS = {
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'accept-ranges': 'bytes',
};

/** Answers with a file or a range of it, and reads it as the client consumes it. */
export function serveContent(open: (token: string) => Promise<OpenContent | null>): void {
  protocol.handle(CONTENT_SCHEME, async (request) => {
    const { host, pathname } = new URL(request.url);
    const content = host === 'file' && request.method === 'GET' ? await open(pathname.slice(1)) : null;
    if (content === null) return new Response('Not found', { status: 404 });
    const { size, mimeType } = content;
    const headers = { ...HEADERS, 'content-type': mimeType };
    const asked = request.headers.get('range');
    const range = asked === null ? null : rangeOf(asked, size);
    if (asked !== null && range === null) {
      await content.close();
      return new Response(null, { status: 416, headers: { ...headers, 'content-range': `bytes */${size}` } });
    }
    const { from, to } = range ?? { from: 0, to: size - 1 };
    return new Response(streamOf(content, from, to), {
      status: range === null ? 200 : 206,
      headers: {
        ...headers,
        'content-length': String(to + 1 - from),
        ...(range === null ? {} : { 'content-range': `bytes ${from}-${to}/${size}` }),
      },
    });
  });
}

function streamOf(content: OpenContent, from: number, to: number): ReadableStream<Uint8Array> {
  let at = from;
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const bytes = at > to ? new Uint8Array() : await content.read(at, Math.min(PIECE, to + 1 - at));
      at += bytes.byteLength;
      if (bytes.byteLength > 0) controller.enqueue(new Uint8Array(bytes));
      else {
        await content.close();
        controller.close();
      }
    },
    cancel: () => content.close(),
  });
}
