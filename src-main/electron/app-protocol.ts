import { readFile, realpath } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import { protocol, session } from 'electron';
import { CONTENT_SCHEME } from './content-protocol';
import { VIDEO_SCHEME } from './video-scheme';

export const APP_SCHEME = 'app';
export const APP_URL = `${APP_SCHEME}://deepdesk/index.html`;

/** Only what the app ships may run, load or connect. Inline styles are allowed because React sets them. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob: content:",
  'media-src content:',
  "font-src 'self'",
  "connect-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/** Call before the app is ready. */
export function registerScheme(): void {
  protocol.registerSchemesAsPrivileged([
    // Script names contain a content hash, so a cached script never belongs to another version.
    {
      scheme: APP_SCHEME,
      privileges: { standard: true, secure: true, supportFetchAPI: false, codeCache: true },
    },
    { scheme: VIDEO_SCHEME, privileges: { standard: true, secure: true, stream: true } },
    { scheme: CONTENT_SCHEME, privileges: { standard: true, secure: true, stream: true } },
  ]);
}

/**
 * Serves the renderer's own files and nothing outside their folder. Denies every permission except clipboard writes.
 * `pageServed` resolves when the page has its script and style and no request is open.
 */
export function serveApp(folder: string): { pageServed: Promise<void> } {
  let served: () => void = () => undefined;
  const pageServed = new Promise<void>((resolve) => {
    served = resolve;
  });
  const missing = new Set([TYPES['.js'], TYPES['.css']]);
  let asked = 0;
  const answered = (type: string | undefined) => {
    asked -= 1;
    missing.delete(type);
    // Requests caused by this answer arrive in a later turn and are served while the rest loads.
    if (missing.size === 0 && asked === 0) setImmediate(served);
  };
  protocol.handle(APP_SCHEME, async ({ url }) => {
    asked += 1;
    try {
      return await answerOf(folder, url);
    } finally {
      answered(TYPES[extname(new URL(url).pathname)]);
    }
  });
  const { defaultSession } = session;
  defaultSession.setPermissionRequestHandler((_contents, permission, answer) =>
    answer(isAllowed(permission)),
  );
  defaultSession.setPermissionCheckHandler((_contents, permission) => isAllowed(permission));
  defaultSession.setDevicePermissionHandler(() => false);
  return { pageServed };
}

/** Copy buttons write plain text to the clipboard. Reading it is denied like everything else. */
const isAllowed = (permission: string) => permission === 'clipboard-sanitized-write';

/** Answers with a file from the renderer's folder and its content security policy. */
export async function answerOf(folder: string, url: string): Promise<Response> {
  const file = await fileOf(folder, url);
  const type = file === null ? undefined : TYPES[extname(file)];
  if (file === null || type === undefined) return new Response('Not found', { status: 404 });
  const headers = {
    'content-type': type,
    'content-security-policy': CONTENT_SECURITY_POLICY,
    'x-content-type-options': 'nosniff',
  };
  return new Response(new Uint8Array(await readFile(file)), { headers });
}

async function fileOf(folder: string, address: string): Promise<string | null> {
  const { host, pathname } = new URL(address);
  if (host !== 'deepdesk') return null;
  try {
    const root = await realpath(folder);
    const file = await realpath(join(root, decodeURIComponent(pathname)));
    return file.startsWith(root + sep) ? file : null;
  } catch {
    return null;
  }
}
