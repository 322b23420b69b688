import { createPrivateKey, randomBytes, sign } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeKeys, writeFeed } from '../../../scripts/installers/feed.mjs';

/** The processor that the stand-in packages are for. */
export const ARCH = 'x64';

type Answer = (request: IncomingMessage, response: ServerResponse, body: Buffer | null) => void;

/** A folder with a signed feed and a stand-in AppImage, served on loopback. */
export interface UpdateServer {
  /** Its address; ends with a slash. */
  url: string;
  folder: string;
  keys: ReturnType<typeof makeKeys>;
  /** What was asked for, in order. */
  requests: { path: string; headers: IncomingMessage['headers'] }[];
  /** Replaces the answers for one path. */
  answers: Map<string, Answer>;
  /** Writes the package of a version and the feed. Returns the contents of the package. */
  publish(version: string, options?: PublishOptions): Promise<Buffer>;
  /** Signs a feed after a change. */
  resign(change: (feed: Record<string, unknown>) => void): void;
  close(): Promise<void>;
}

interface PublishOptions {
  notes?: string;
  /** Bytes. */
  size?: number;
  now?: number;
  days?: number;
  /** A second private key that signs the feed. */
  also?: string;
}

export const packageOf = (version: string): string => `deepdesk-${version}-linux-x86_64.AppImage`;

export async function startUpdateServer(): Promise<UpdateServer> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'deepdesk-updates-')));
  const keys = makeKeys();
  const requests: UpdateServer['requests'] = [];
  const answers: UpdateServer['answers'] = new Map();
  const server = createServer((request, response) => {
    const path = (request.url ?? '').slice(1);
    requests.push({ path, headers: request.headers });
    const body = contentsOf(join(folder, path));
    const answer = answers.get(path);
    if (answer !== undefined) answer(request, response, body);
    else if (body === null) response.writeHead(404).end();
    else response.writeHead(200, { 'content-length': body.byteLength }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    folder,
    keys,
    requests,
    answers,
    publish: async (version, { notes = '', size = 300_000, also, ...times } = {}) => {
      rmSync(folder, { recursive: true });
      mkdirSync(folder);
      const contents = Buffer.concat([Buffer.from(`version ${version}\n`), randomBytes(size)]);
      writeFileSync(join(folder, packageOf(version)), contents);
      await writeFeed(folder, { version, notes, ...keys, ...times, alsoSignedBy: also });
      return contents;
    },
    resign: (change) => {
      const feed = JSON.parse(readFileSync(join(folder, 'updates.json'), 'utf8')) as Record<string, unknown>;
      change(feed);
      const bytes = Buffer.from(JSON.stringify(feed));
      writeFileSync(join(folder, 'updates.json'), bytes);
      const signature = sign(null, bytes, createPrivateKey(keys.privateKey)).toString('base64');
      writeFileSync(join(folder, 'updates.json.sig'), signature);
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function contentsOf(file: string): Buffer | null {
  try {
    return readFileSync(file);
  } catch {
    return null;
  }
}
