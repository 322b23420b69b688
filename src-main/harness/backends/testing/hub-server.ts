import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CutLine, cutLine } from './cut-line';

/** A file, or a link to another repository. */
export type HubEntry =
  | { type: 'file'; content: string }
  | { type: 'agent' | 'skill'; repo_handle: string; owner?: string };
type Files = Record<string, HubEntry>;

interface Commit {
  hash: string;
  parent: string | null;
  files: Files;
}

export type HubRoute = 'settings' | 'repo' | 'create' | 'pull' | 'push' | 'commits';

/**
 * What goes wrong with one request. `status`: rejected with it. `before`: runs first, then the request is served. `hang`:
 * never answered. `cut`: served, but the answer's body is cut off. `drop`: served, but the connection closes without an
 * answer. `lost`: served, but answered with this status. The client retries 500 automatically, but not 520.
 */
export type HubFault =
  | { status: number; message?: string }
  | { before: () => void }
  | { lost: number }
  | 'hang'
  | 'cut'
  | 'drop';

export interface HubServer extends CutLine {
  url: string;
  /** Faults for the next requests of a route, in order. */
  fail(route: HubRoute, ...faults: HubFault[]): void;
  /** Commits as another user. Null deletes. */
  commit(repo: string, files: Record<string, HubEntry | string | null>): void;
  /** The current texts of the files. */
  files(repo: string): Record<string, string>;
  /** Hashes, newest last. */
  history(repo: string): string[];
  /** Every request so far, in order. */
  readonly requests: readonly HubRoute[];
  close(): Promise<void>;
}

/** A Hub on loopback: the part of its API that the client uses for agent directories, with real conflicts. Without an `apiKey`, it accepts any. */
export async function startHub(apiKey?: string): Promise<HubServer> {
  const repos = new Map<string, Commit[]>();
  const faults = new Map<HubRoute, HubFault[]>();
  const requests: HubRoute[] = [];

  const commit = (repo: string, changes: Record<string, HubEntry | null>): Commit => {
    const commits = repos.get(repo) ?? [];
    const head = commits.at(-1);
    const files: Files = { ...head?.files };
    for (const [path, entry] of Object.entries(changes))
      if (entry === null) delete files[path];
      else files[path] = entry;
    const parent = head?.hash ?? null;
    const hash = createHash('sha256').update(`${commits.length}${parent}`).digest('hex');
    const made = { hash, parent, files };
    repos.set(repo, [...commits, made]);
    return made;
  };

  /** The status and body of one response. */
  const serve = (route: HubRoute, repo: string, url: URL, body: unknown): [number, unknown] => {
    const commits = repos.get(repo);
    const head = commits?.at(-1);
    switch (route) {
      case 'settings':
        return [200, { id: 'tenant-1', tenant_handle: 'me' }];
      case 'repo':
        return commits === undefined ? [404, { detail: 'no such repo' }] : [200, { repo: { id: repo } }];
      case 'create': {
        const name = textOf(body, 'repo_handle');
        if (repos.has(name)) return [409, { detail: 'repo exists' }];
        repos.set(name, []);
        return [200, { repo: { id: name } }];
      }
      case 'pull': {
        const wanted = url.searchParams.get('commit');
        const found = wanted === null ? head : commits?.find(({ hash }) => hash.startsWith(wanted));
        return found === undefined
          ? [404, { detail: 'no such commit' }]
          : [200, { commit_id: found.hash, commit_hash: found.hash, files: found.files }];
      }
      case 'push': {
        if (commits === undefined) return [404, { detail: 'no such repo' }];
        const parent = textOf(body, 'parent_commit');
        if (parent !== '' && !head?.hash.startsWith(parent))
          return [409, { detail: 'parent is not the head' }];
        const made = commit(repo, filesOf(body));
        return [200, { commit: { id: made.hash, commit_hash: made.hash } }];
      }
      case 'commits': {
        const offset = Number(url.searchParams.get('offset'));
        const newest = [...(commits ?? [])].reverse().slice(offset, offset + 100);
        return [
          200,
          { commits: newest.map(({ hash, parent }) => ({ commit_hash: hash, parent_commit_hash: parent })) },
        ];
      }
    }
  };

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', 'http://hub');
    const place = routeOf(request.method ?? '', url.pathname);
    const body = await bodyOf(request);
    if (place === null) return void response.writeHead(404).end();
    requests.push(place.route);
    if (apiKey !== undefined && request.headers['x-api-key'] !== apiKey)
      return void response.writeHead(401).end('{"detail":"Invalid token"}');
    const fault = faults.get(place.route)?.shift();
    if (fault === 'hang') return;
    if (typeof fault === 'object' && 'before' in fault) fault.before();
    const [status, content] =
      typeof fault === 'object' && 'status' in fault
        ? [fault.status, { detail: fault.message ?? 'refused' }]
        : serve(place.route, place.repo, url, body);
    const text = JSON.stringify(content);
    if (fault === 'drop') return void request.socket.destroy();
    if (typeof fault === 'object' && 'lost' in fault)
      return void response.writeHead(fault.lost).end('{"detail":"lost"}');
    response.writeHead(status, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    });
    if (fault !== 'cut') return void response.end(text);
    response.write(text.slice(0, text.length / 2), () => request.socket.destroy());
  };

  const server = createServer((request, response) => {
    answer(request, response).catch((thrown: unknown) => {
      response.writeHead(500).end(JSON.stringify({ detail: String(thrown) }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    ...cutLine(server),
    url: `http://127.0.0.1:${port}`,
    fail: (route, ...more) => void faults.set(route, [...(faults.get(route) ?? []), ...more]),
    commit: (repo, files) => {
      commit(
        repo,
        Object.fromEntries(
          Object.entries(files).map(([path, file]) => [
            path,
            typeof file === 'string' ? { type: 'file', content: file } : file,
          ]),
        ),
      );
    },
    files: (repo) =>
      Object.fromEntries(
        Object.entries(repos.get(repo)?.at(-1)?.files ?? {}).flatMap(([path, entry]) =>
          entry.type === 'file' ? [[path, entry.content]] : [],
        ),
      ),
    history: (repo) => (repos.get(repo) ?? []).map(({ hash }) => hash),
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function routeOf(method: string, path: string): { route: HubRoute; repo: string } | null {
  const [, repo = '', rest] =
    /^\/v1\/platform\/hub\/repos\/[^/]+\/([^/]+)\/directories(.*)$/.exec(path) ?? [];
  if (method === 'GET' && rest === '') return { route: 'pull', repo };
  if (method === 'POST' && rest === '/commits') return { route: 'push', repo };
  if (method === 'GET' && path === '/settings') return { route: 'settings', repo };
  if (method === 'POST' && path === '/repos/') return { route: 'create', repo };
  const [, kind, , name = ''] = /^\/(repos|commits)\/([^/]+)\/([^/]+)\/?$/.exec(path) ?? [];
  if (method !== 'GET' || kind === undefined) return null;
  return { route: kind === 'repos' ? 'repo' : 'commits', repo: name };
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return chunks.length === 0 ? null : JSON.parse(Buffer.concat(chunks).toString('utf8'));
}

function textOf(body: unknown, field: string): string {
  const value = typeof body === 'object' && body !== null ? Reflect.get(body, field) : undefined;
  return typeof value === 'string' ? value : '';
}

function filesOf(body: unknown): Record<string, HubEntry | null> {
  const files = typeof body === 'object' && body !== null ? Reflect.get(body, 'files') : undefined;
  return typeof files === 'object' && files !== null ? files : {};
}
