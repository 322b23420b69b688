import { type Failure, failure } from '../failure';
import type { FileData, FilesUpdate } from '../protocol';
import { bytesOf } from '../text/content';
import { mimeTypeOf } from '../text/mime';
import { decodeText } from '../text/text';

/** A file in a Hub repository, or a link to another repository. */
export interface HubEntry {
  /** A file, or a link to another agent or skill. */
  type: 'file' | 'agent' | 'skill';
  /** The text of a file. */
  content?: string;
  /** The repository to which a link leads. */
  repo_handle?: string;
}

/** The calls of LangSmith's `Client` for agent directories. */
export interface HubClient {
  /** The files of a commit. Default: of the newest one. */
  pullAgent(
    identifier: string,
    options?: {
      /** Hash of a commit. */
      version?: string;
    },
  ): Promise<{
    /** Hash of the commit that was read. */
    commit_hash: string;
    /** By path, without a leading slash. */
    files: Record<string, HubEntry>;
  }>;
  /** Returns the address of the new commit. Without `parentCommit` it goes on top of the current head. */
  pushAgent(
    identifier: string,
    options: {
      /** The changes, by path without a leading slash. Null deletes a file. */
      files: Record<string, { type: 'file'; content: string } | null>;
      /** Rejects with the status 409 if this is no longer the newest commit. */
      parentCommit?: string;
    },
  ): Promise<string>;
  /** Newest first. With it, a push whose answer was lost is recognized even if later commits followed. */
  listCommits?(identifier: string): AsyncIterable<object>;
}

/** One commit of a repository. */
export interface HubTree {
  /** By backend path, with a leading slash. */
  files: Record<string, FileData>;
  /** Handles of the linked repositories, by Hub path. */
  links: Record<string, string>;
  /** Null before the first commit. The Hub accepts its first eight characters or more. */
  commit: string | null;
}

/** Pulls the newest commit or the named one. Empty if there is none yet. Throws what the client throws. */
export async function pullTree(client: HubClient, identifier: string, version?: string): Promise<HubTree> {
  const pulled = await client
    .pullAgent(identifier, version === undefined ? undefined : { version })
    .catch((thrown: unknown) => {
      if (statusOf(thrown) === 404) return null;
      throw thrown;
    });
  // A page of a proxy in between. As a commit without files, it would hide those of the repository.
  if (pulled !== null && typeof pulled.commit_hash !== 'string')
    throw new Error('the answer is no commit of a repository');
  const tree: HubTree = { files: {}, links: {}, commit: pulled?.commit_hash ?? null };
  for (const [path, { type, content, repo_handle }] of Object.entries(pulled?.files ?? {}))
    if (type === 'file' && typeof content === 'string') tree.files[`/${path}`] = dataOf(`/${path}`, content);
    else if (typeof repo_handle === 'string') tree.links[path] = repo_handle;
  return tree;
}

/** Commits changes on top of a tree. Returns the new commit, or null if the Hub did not name it. */
export async function pushChanges(
  client: HubClient,
  identifier: string,
  base: HubTree,
  changes: FilesUpdate,
): Promise<string | null> {
  const files = Object.fromEntries(
    Object.entries(changes).map(([path, data]) => [
      path.slice(1),
      data === null ? null : { type: 'file' as const, content: textOf(data) },
    ]),
  );
  const address = await client.pushAgent(identifier, {
    files,
    ...(base.commit === null ? {} : { parentCommit: base.commit }),
  });
  const path = URL.canParse(address) ? new URL(address).pathname : '';
  return /[/:]([0-9a-f]{8,64})$/.exec(path)?.[1] ?? null;
}

/**
 * Whether the Hub has the changes though the push seemed to fail: an answer can get lost, and the client then retries
 * automatically, which looks like a conflict. `head` is the newest tree. If somebody has committed on top since, this checks
 * the commit that followed `base`, provided that the client can list commits. Null: unknown.
 */
export async function hasLanded(
  client: HubClient,
  identifier: string,
  base: HubTree,
  changes: FilesUpdate,
  head: HubTree,
): Promise<boolean | null> {
  if (head.commit === base.commit) return false;
  if (holds(head, changes)) return true;
  if (client.listCommits === undefined) return false;
  try {
    for await (const listed of client.listCommits(identifier)) {
      const { commit_hash: hash, parent_commit_hash: parent } = listed as Record<string, unknown>;
      if (typeof hash !== 'string' || !isSameCommit(parent ?? null, base.commit)) continue;
      return holds(await pullTree(client, identifier, hash), changes);
    }
  } catch {
    // The Hub cannot be reached, so this stays unknown.
    return null;
  }
  return null;
}

/** The commit that results from a base and pushed changes. */
export function withChanges(base: HubTree, changes: FilesUpdate, commit: string): HubTree {
  const files = { ...base.files };
  for (const [path, data] of Object.entries(changes))
    if (data === null) delete files[path];
    else files[path] = dataOf(path, textOf(data));
  return { ...base, files, commit };
}

/** Writes that lead from `before` to `after`. Files are compared by content. */
export function changesBetween(
  before: Record<string, FileData>,
  after: Record<string, FileData>,
): FilesUpdate {
  const changes: FilesUpdate = {};
  for (const path of Object.keys(before)) if (!Object.hasOwn(after, path)) changes[path] = null;
  for (const [path, data] of Object.entries(after)) {
    const old = Object.hasOwn(before, path) ? before[path] : undefined;
    if (old === undefined || (old !== data && textOf(old) !== textOf(data))) changes[path] = data;
  }
  return changes;
}

/** Turns what the client threw into a failure. */
export function hubFailure(thrown: unknown): Failure {
  const text = thrown instanceof Error ? thrown.message : String(thrown);
  return failure(kindOf(thrown), `Hub unavailable: ${text}`);
}

/** Somebody else has committed since, or created the repository. */
export const isConflict = (thrown: unknown): boolean => statusOf(thrown) === 409;

function kindOf(thrown: unknown): Failure['kind'] {
  const status = statusOf(thrown);
  if (status === 401 || status === 403) return 'denied';
  if (status === 409) return 'conflict';
  if (status === 429) return 'rate_limited';
  if (thrown instanceof Error && thrown.name === 'TimeoutError') return 'timeout';
  return 'network';
}

function statusOf(thrown: unknown): number | null {
  return thrown instanceof Error && 'status' in thrown && typeof thrown.status === 'number'
    ? thrown.status
    : null;
}

/** The Hub has no file times, so none are returned. */
function dataOf(path: string, content: string): FileData {
  return { content, mimeType: mimeTypeOf(path), created_at: '', modified_at: '' };
}

/** Everything here is UTF-8: anything else was rejected. */
function textOf({ content }: FileData): string {
  if (Array.isArray(content)) return content.join('\n');
  return typeof content === 'string' ? content : (decodeText(bytesOf(content)) ?? '');
}

function holds(tree: HubTree, changes: FilesUpdate): boolean {
  return Object.entries(changes).every(([path, data]) => {
    const there = Object.hasOwn(tree.files, path) ? tree.files[path] : undefined;
    return data === null ? there === undefined : there !== undefined && textOf(there) === textOf(data);
  });
}

/** Compares two names of a commit. One may be a prefix of the other. */
function isSameCommit(a: unknown, b: string | null): boolean {
  if (typeof a !== 'string' || b === null) return a === b;
  return a.startsWith(b) || b.startsWith(a);
}
