import type { Item } from '@langchain/langgraph-checkpoint';
import { z } from 'zod';
import { MemoryEntry } from '../../contract/app';
import type { MemoryFilter } from '../../contract/commands/memories';
import type { MemoryChange, ToolCall } from '../../contract/conversation';
import type { CallId } from '../../contract/ids';
import { fail, ok, type Result } from '../../contract/result';
import { foldText } from '../../contract/shared/fold-text';
import { checkPath } from '../../harness/backends';
import { Author } from '../../harness/storage/sqlite/store/store';
import { changesFiles, deletesFile } from '../../harness/tools/catalogue';
import type { Storage } from '../../storage';
import { MEMORIES, SHARED_NAMESPACE } from '../project/mounts';
import type { Hub } from '../window/hub';
import {
  isSharedMemory,
  type MemoryPlace,
  memoryAt,
  namespaceOf,
  pathOfMemory,
  tellChanged,
  type Viewer,
} from './memory-scopes';

/** Maximum number of memories listed without paging. */
const LISTED = 500;
/** UTF-16 units of the excerpt in a list, and of the text before a match. */
const EXCERPT = 200;
const BEFORE = 16;

const Value = z.object({
  content: z.union([z.string(), z.array(z.string())]),
  written_by: z.unknown().optional(),
});

/**
 * Memories as the person sees and edits them: those of the project they look at, `/memories/`, and those for everywhere,
 * `/memories/shared/`. The store keeps every version.
 */
export class Memories {
  constructor(
    private readonly storage: Storage,
    private readonly hub: Hub,
  ) {}

  /** Memories whose path or text has all words of `query`, case-insensitively, last changed first. */
  async list(query: string, viewer: Viewer): Promise<Result<{ memories: MemoryEntry[] }>> {
    const { memories } = await this.find({ query }, viewer, { offset: 0, limit: LISTED });
    return ok({ memories });
  }

  /** A page of the memories that match the filter, last changed first, and their total number. */
  async find(
    { query = '', scope, ...filter }: MemoryFilter,
    viewer: Viewer,
    page: { offset: number; limit: number },
    signal?: AbortSignal,
  ): Promise<{ memories: MemoryEntry[]; total: number }> {
    const words = foldText(query).split(/\s+/u).filter(Boolean);
    const { browse } = this.storage;
    const own = scope === 'everywhere' ? null : namespaceOf(this.storage, viewer);
    const namespaces = [...(own === null ? [] : [own]), ...(scope === 'project' ? [] : [SHARED_NAMESPACE])];
    const { items, total } = await browse.find(namespaces, { ...filter, words }, page, signal);
    const memories = items.map(({ created, updated, ...item }) =>
      entryOf({ ...item, createdAt: new Date(created), updatedAt: new Date(updated) }, words),
    );
    return { memories, total };
  }

  /** Errors: `not_found`. */
  async read(path: string, viewer: Viewer): Promise<Result<{ memory: MemoryEntry; text: string }>> {
    const at = memoryAt(this.storage, path, viewer);
    if (!at.ok) return at;
    const item = await this.get(at.value);
    return item ? ok({ memory: entryOf(item), text: textOf(item) }) : missing(path);
  }

  /** Errors: `conflict` if a new one already exists, `stale` if it changed since it was read, `not_found`. */
  async write(
    path: string,
    { text, expected }: { text: string; expected: number | null },
    viewer: Viewer,
  ): Promise<Result<{ memory: MemoryEntry }>> {
    const at = memoryAt(this.storage, path, viewer);
    if (!at.ok) return at;
    const old = await this.get(at.value);
    if (expected === null && old) return fail('conflict', 'memory_exists_choose', { path });
    if (expected !== null && !old) return missing(path);
    if (expected !== null && old && old.updatedAt.getTime() !== expected) {
      return fail('stale', 'memory_edited_meanwhile');
    }
    const now = new Date().toISOString();
    const { namespace, key } = at.value;
    // Another window, the agent or another process may write after the check above.
    const isWritten = await this.storage.store.compareAndPut(namespace, key, old?.value ?? null, {
      content: text,
      mimeType: 'text/markdown',
      created_at: old?.createdAt.toISOString() ?? now,
      modified_at: now,
      written_by: { by: 'person' },
    });
    if (!isWritten)
      return old
        ? fail('stale', 'memory_edited_meanwhile')
        : fail('conflict', 'memory_exists_choose', { path });
    return this.changed(at.value);
  }

  /** Deletes a memory; `restore` brings it back. Errors: `not_found`. */
  async remove(path: string, viewer: Viewer): Promise<Result<Record<string, never>>> {
    const at = memoryAt(this.storage, path, viewer);
    if (!at.ok) return at;
    if (!(await this.get(at.value))) return missing(path);
    await this.storage.store.delete(at.value.namespace, at.value.key);
    tellChanged(this.hub, [at.value]);
    return ok({});
  }

  /**
   * Moves a memory with its versions, from the project to everywhere or back. Errors: `not_found`, `conflict` if the same
   * name exists there.
   */
  async move(path: string, viewer: Viewer): Promise<Result<{ memory: MemoryEntry }>> {
    const from = memoryAt(this.storage, path, viewer);
    if (!from.ok) return from;
    const namespace = isSharedMemory(path) ? namespaceOf(this.storage, viewer) : SHARED_NAMESPACE;
    if (namespace === null || !(await this.get(from.value))) return missing(path);
    const to = { namespace, key: from.value.key };
    const target = pathOfMemory(to);
    // A folder `shared` of the project would mean the memories for everywhere.
    const isNamed = memoryAt(this.storage, target, viewer);
    const isFree = isNamed.ok && isNamed.value.namespace[0] === namespace[0];
    if (!isFree || !(await this.storage.store.move(from.value, to)))
      return fail('conflict', 'memory_exists', { path: target });
    tellChanged(this.hub, [from.value]);
    return this.changed(to);
  }

  /** Restores the last version of a deleted memory. Errors: `not_found`, `conflict` if it exists. */
  async restore(path: string, viewer: Viewer): Promise<Result<{ memory: MemoryEntry }>> {
    const at = memoryAt(this.storage, path, viewer);
    if (!at.ok) return at;
    const { namespace, key } = at.value;
    const versions = await this.storage.store.versions(namespace, key);
    if (versions[0]?.value) return fail('conflict', 'memory_exists', { path });
    const last = versions.find((version) => version.value !== null);
    if (!last) return missing(path);
    await this.storage.store.restore(namespace, key, last.version);
    return this.changed(at.value);
  }

  /** What a finished call did to a memory; undefined if it did nothing. */
  async changeOf(call: ToolCall | undefined, viewer: Viewer): Promise<MemoryChange | undefined> {
    const path = call && changedPath(call);
    if (!call || path === undefined) return undefined;
    const at = memoryAt(this.storage, path, viewer);
    if (!at.ok) return undefined;
    const [newest, before] = await this.storage.store.versions(at.value.namespace, at.value.key);
    if (deletesFile(call.name)) {
      return newest && newest.value === null ? { path, change: 'deleted', undone: false } : undefined;
    }
    if (newest?.author?.by !== 'agent' || newest.author.callId !== call.callId) return undefined;
    return { path, change: before?.value ? 'changed' : 'created', undone: false };
  }

  /** Undoes one call. Errors: `stale` if the memory changed since, so that nothing newer is lost. */
  async undo(call: ToolCall | undefined, viewer: Viewer): Promise<Result<Record<string, never>>> {
    const path = call && changedPath(call);
    if (!call || path === undefined || call.memory === undefined || call.memory.undone) {
      return fail('not_found', 'nothing_to_undo');
    }
    if (call.memory.change === 'deleted') {
      const restored = await this.restore(path, viewer);
      return restored.ok ? ok({}) : restored;
    }
    const at = await this.writtenAt(call, path, viewer);
    if (at === null) return fail('stale', 'memory_changed_again');
    const { namespace, key } = at;
    // Moving a memory adds versions of the same call.
    const before = (await this.storage.store.versions(namespace, key)).find(
      ({ author }) => author?.by !== 'agent' || author.callId !== call.callId,
    );
    if (before?.value) await this.storage.store.restore(namespace, key, before.version);
    else await this.storage.store.delete(namespace, key);
    tellChanged(this.hub, [at]);
    return ok({});
  }

  /** The memory whose newest version the call wrote: at its path, or where the person moved it since. */
  private async writtenAt({ callId }: ToolCall, path: string, viewer: Viewer): Promise<MemoryPlace | null> {
    const own = memoryAt(this.storage, path, viewer);
    if (!own.ok) return null;
    const other = isSharedMemory(path) ? namespaceOf(this.storage, viewer) : SHARED_NAMESPACE;
    for (const namespace of [own.value.namespace, ...(other === null ? [] : [other])]) {
      const at = { namespace, key: own.value.key };
      const [newest] = await this.storage.store.versions(namespace, at.key);
      if (newest?.value && newest.author?.by === 'agent' && newest.author.callId === callId) return at;
    }
    return null;
  }

  private get({ namespace, key }: MemoryPlace): Promise<Item | null> {
    return this.storage.store.get(namespace, key);
  }

  private async changed(at: MemoryPlace): Promise<Result<{ memory: MemoryEntry }>> {
    tellChanged(this.hub, [at]);
    const item = await this.get(at);
    return item ? ok({ memory: entryOf(item) }) : missing(pathOfMemory(at));
  }
}

const missing = (path: string) => fail('not_found', 'no_memory', { path });

function changedPath(call: ToolCall): string | undefined {
  if (!changesFiles(call.name)) return undefined;
  const checked = checkPath(call.args.file_path, [MEMORIES]);
  return 'error' in checked || checked.path === MEMORIES ? undefined : checked.path;
}

export function textOf(item: Pick<Item, 'value'>): string {
  const value = Value.safeParse(item.value);
  if (!value.success) return '';
  const { content } = value.data;
  return typeof content === 'string' ? content : content.join('\n');
}

/** The store holds ids of threads and calls as plain text. */
export const writerOf = (author: Author): MemoryEntry['writtenBy'] =>
  MemoryEntry.shape.writtenBy.parse(author);

/** `words`: the search terms in lower case. The excerpt shows the first one. */
export function entryOf(item: Item, words: readonly string[] = []): MemoryEntry {
  const text = textOf(item);
  const author = Author.safeParse(item.value.written_by);
  return {
    path: pathOfMemory(item),
    size: Buffer.byteLength(text),
    createdAt: item.createdAt.getTime(),
    updatedAt: item.updatedAt.getTime(),
    writtenBy: author.success ? writerOf(author.data) : { by: 'agent', threadId: null, callId: null },
    excerpt: excerptOf(text, words),
  };
}

/** One line of the text: its start, or the part around the first match if that is further on. */
function excerptOf(text: string, words: readonly string[]): string {
  const small = foldText(text);
  // Some characters change length when they are folded. Offsets would differ then, so use the start.
  const places = small.length === text.length ? words.map((word) => small.indexOf(word)) : [];
  const first = Math.min(...places.filter((at) => at !== -1));
  const isNear = !Number.isFinite(first) || first <= 2 * BEFORE;
  const from = isNear ? 0 : beginBefore(text, first);
  const line = text
    .slice(from, from + 2 * EXCERPT)
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, EXCERPT);
  return isNear ? line : `… ${line}`;
}

/** A position a little before the match, at a word start if possible, and never inside a surrogate pair. */
function beginBefore(text: string, at: number): number {
  const from = at - BEFORE;
  const space = text.slice(from, at).search(/\s/u);
  if (space !== -1) return from + space + 1;
  return /[\udc00-\udfff]/.test(text.charAt(from)) ? from + 1 : from;
}

/** The last call with that id in a list of messages. */
export function findCall(messages: readonly { role: string; calls?: readonly ToolCall[] }[], callId: CallId) {
  return messages
    .findLast((message) => message.calls?.some((call) => call.callId === callId))
    ?.calls?.find((call) => call.callId === callId);
}
