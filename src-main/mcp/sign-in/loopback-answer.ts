import { timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';

/** The result that the browser delivers. */
export type Redirect = { code: string; issuer: string | null } | { error: string };

export interface LoopbackAnswer {
  /** The address that the browser is redirected to at the end. */
  readonly address: string;
  /** Resolves with the one response that has the state. Rejects with the reason of `signal`. */
  wait(signal: AbortSignal): Promise<Redirect>;
  close(): void;
}

const PATH = '/signed-in';

/**
 * Listens only on this computer, on a port that the system picks, for the result of one sign-in in the browser. Requests
 * without the right `state` are rejected and change nothing, because any web page can send a browser here.
 */
export async function listenForAnswer(
  state: string,
  words: { signedIn: string; notSignedIn: string },
): Promise<LoopbackAnswer> {
  let settle: (redirect: Redirect) => void = () => undefined;
  const answered = new Promise<Redirect>((resolve) => {
    settle = resolve;
  });
  const server = createServer({ requestTimeout: 10_000 }, (request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const say = (status: number, text: string) =>
      response
        .writeHead(status, {
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
          'referrer-policy': 'no-referrer',
          'cache-control': 'no-store',
          connection: 'close',
        })
        .end(page(text));
    const isOurs = request.method === 'GET' && url.pathname === PATH && request.headers.host === host();
    if (!isOurs || !isSame(url.searchParams.get('state') ?? '', state)) {
      say(404, words.notSignedIn);
      return;
    }
    const code = url.searchParams.get('code');
    const error = url.searchParams.get('error_description') ?? url.searchParams.get('error');
    say(200, code !== null && error === null ? words.signedIn : words.notSignedIn);
    settle(
      code !== null && error === null
        ? { code, issuer: url.searchParams.get('iss') }
        : { error: (error ?? '').replaceAll(/\s+/g, ' ').slice(0, 300) },
    );
  });
  const host = () => {
    const at = server.address();
    return `127.0.0.1:${at !== null && typeof at === 'object' ? at.port : 0}`;
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `http://${host()}${PATH}`,
    wait: (signal) =>
      new Promise((resolve, reject) => {
        const stop = () => reject(signal.reason);
        if (signal.aborted) return stop();
        signal.addEventListener('abort', stop, { once: true });
        void answered.then((redirect) => {
          signal.removeEventListener('abort', stop);
          resolve(redirect);
        });
      }),
    close: () => {
      server.close();
      server.closeIdleConnections();
    },
  };
}

function isSame(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const page = (text: string) =>
  `<!doctype html><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>Deepdesk</title><body style="font:16px/1.5 system-ui,sans-serif;display:grid;place-items:center;min-height:90vh;margin:0;padding:2rem;text-align:center"><p>${escaped(text)}</p>`;
