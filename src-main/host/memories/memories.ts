import type { Item } from '@langchain/langgraph-checkpoint';
import { z } from 'zod';
import { MemoryEntry } from '../../contract/app';
import type { MemoryFilter } from '../../contract/commands/memories';
import type { MemoryChange, ToolCall } from '../../contract/conversation';
import type { CallId } from '../../contract/ids';
import { fail, ok, type Result } from '../../contract/result';
import { checkPath } from '../../harness/backends';
import { Author } from '../../harness/storage/sqlite/store';
import { changesFiles, deletesFile } from '../../harness/tools/catalogue';
import type { Storage } from '../../storage';
import { MEMORIES, MEMORY_NAMESPACE } from '../project/mounts';
import type { Hub } from '../window/hub';

/** Maximum number of memories listed without paging. */
const LISTED = 500;
/** UTF-16 units of the excerpt in a list, and of the text before a match. */
const EXCERPT = 200;
const BEFORE = 16;

const Value = z.object({
  content: z.union([z.string(), z.array(z.string())]),
  written_by: z.unknown().optional(),
});

/** Memories as the person sees and edits them. Paths begin with `/memories/`; the store keeps every version. */
export class Memories {
  constructor(
    private readonly storage: Storage,
    private readonly hub: Hub,
  ) {}

  /** Memories whose path or text has all words of `query`, case-insensitively, last changed first. */
  async list(query: string): Promise<Result<{ memories: MemoryEntry[] }>> {
    const { memories } = await this.find({ query }, { offset: 0, limit: LISTED });
    return ok({ memories });
  }

  /** A page of the memories that match the filter, last changed first, and their total number. */
  async find(
    { query = '', ...filter }: MemoryFilter,
    page: { offset: number; limit: number },
    signal?: AbortSignal,
  ): Promise<{ memories: MemoryEntry[]; total: number }> {
    const words = query.toLowerCase().split(/\s+/u).filter(Boolean);
    const { browse } = this.storage;
    const { items, total } = await browse.find(MEMORY_NAMESPACE, { ...filter, words }, page, signal);
    const memories = items.map(({ key, value, created, updated }) =>
      entryOf({ key, value, createdAt: new Date(created), updatedAt: new Date(updated) }, words),
    );
    return { memories, total };
  }

  /** Errors: `not_found`. */
  async read(path: string): Promise<Result<{ memory: MemoryEntry; text: string }>> {
    const key = keyOf(path);
    if (!key.ok) return key;
    const item = await this.storage.store.get(MEMORY_NAMESPACE, key.value);
    return item ? ok({ memory: entryOf(item), text: textOf(item) }) : missing(path);
  }

  /** Errors: `conflict` if a new one already exists, `stale` if it changed since it was read, `not_found`. */
  async write(path: string, text: string, expected: number | null): Promise<Result<{ memory: MemoryEntry }>> {
    const key = keyOf(path);
    if (!key.ok) return key;
    const old = await this.storage.store.get(MEMORY_NAMESPACE, key.value);
    if (expected === null && old) return fail('conflict', 'memory_exists_choose', { path });
    if (expected !== null && !old) return missing(path);
    if (expected !== null && old && old.updatedAt.getTime() !== expected) {
      return fail('stale', 'memory_edited_meanwhile');
    }
    const now = new Date().toISOString();
    await this.storage.store.put(MEMORY_NAMESPACE, key.value, {
      content: text,
      mimeType: 'text/markdown',
      created_at: old?.createdAt.toISOString() ?? now,
      modified_at: now,
      written_by: { by: 'person' },
    });
    return this.changed(key.value);
  }

  /** Deletes a memory; `restore` brings it back. Errors: `not_found`. */
  async remove(path: string): Promise<Result<Record<string, never>>> {
    const key = keyOf(path);
    if (!key.ok) return key;
    if (!(await this.storage.store.get(MEMORY_NAMESPACE, key.value))) return missing(path);
    await this.storage.store.delete(MEMORY_NAMESPACE, key.value);
    this.hub.app({ type: 'memories.changed', paths: [path] });
    return ok({});
  }

  /** Restores the last version of a deleted memory. Errors: `not_found`, `conflict` if it exists. */
  async restore(path: string): Promise<Result<{ memory: MemoryEntry }>> {
    const key = keyOf(path);
    if (!key.ok) return key;
    const versions = await this.storage.store.versions(MEMORY_NAMESPACE, key.value);
    if (versions[0]?.value) return fail('conflict', 'memory_exists', { path });
    const last = versions.find((version) => version.value !== null);
    if (!last) return missing(path);
    await this.storage.store.restore(MEMORY_NAMESPACE, key.value, last.version);
    return this.changed(key.value);
  }

  /** What a finished call did to a memory; undefined if it did nothing. */
  async changeOf(call: ToolCall | undefined): Promise<MemoryChange | undefined> {
    const path = call && changedPath(call);
    if (!call || path === undefined) return undefined;
    const [newest, before] = await this.storage.store.versions(MEMORY_NAMESPACE, path.slice(MEMORIES.length));
    if (deletesFile(call.name)) {
      return newest && newest.value === null ? { path, change: 'deleted', undone: false } : undefined;
    }
    if (newest?.author?.by !== 'agent' || newest.author.callId !== call.callId) return undefined;
    return { path, change: before?.value ? 'changed' : 'created', undone: false };
  }

  /** Undoes one call. Errors: `stale` if the memory changed since, so that nothing newer is lost. */
  async undo(call: ToolCall | undefined): Promise<Result<Record<string, never>>> {
    const path = call && changedPath(call);
    if (!call || path === undefined || call.memory === undefined || call.memory.undone) {
      return fail('not_found', 'nothing_to_undo');
    }
    if (call.memory.change === 'deleted') {
      const restored = await this.restore(path);
      return restored.ok ? ok({}) : restored;
    }
    const key = path.slice(MEMORIES.length);
    const [newest, before] = await this.storage.store.versions(MEMORY_NAMESPACE, key);
    if (newest?.author?.by !== 'agent' || newest.author.callId !== call.callId) {
      return fail('stale', 'memory_changed_again');
    }
    if (before?.value) await this.storage.store.restore(MEMORY_NAMESPACE, key, before.version);
    else await this.storage.store.delete(MEMORY_NAMESPACE, key);
    this.hub.app({ type: 'memories.changed', paths: [path] });
    return ok({});
  }

  private async changed(key: string): Promise<Result<{ memory: MemoryEntry }>> {
    const path = `${MEMORIES}${key}`;
    this.hub.app({ type: 'memories.changed', paths: [path] });
    const item = await this.storage.store.get(MEMORY_NAMESPACE, key);
    return item ? ok({ memory: entryOf(item) }) : missing(path);
  }
}

const missing = (path: string) => fail('not_found', 'no_memory', { path });

/** The store's key of a memory: its path below `/memories`. Errors: `invalid`, `denied` for paths elsewhere. */
export function keyOf(path: string): Result<string> {
  const checked = checkPath(path, [MEMORIES]);
  if ('error' in checked)
    return fail(checked.kind ?? 'invalid', 'memory_name_refused', { name: path }, checked.error);
  const key = checked.path.slice(MEMORIES.length);
  return key.length > 1 ? ok(key) : fail('invalid', 'memory_needs_name');
}

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
export function entryOf(item: Omit<Item, 'namespace'>, words: readonly string[] = []): MemoryEntry {
  const text = textOf(item);
  const author = Author.safeParse(item.value.written_by);
  return {
    path: `${MEMORIES}${item.key}`,
    size: Buffer.byteLength(text),
    createdAt: item.createdAt.getTime(),
    updatedAt: item.updatedAt.getTime(),
    writtenBy: author.success ? writerOf(author.data) : { by: 'agent', threadId: null, callId: null },
    excerpt: excerptOf(text, words),
  };
}

/** One line of the text: its start, or the part around the first match if that is further on. */
function excerptOf(text: string, words: readonly string[]): string {
  const small = text.toLowerCase();
  // Some characters change length in lower case. Offsets would differ then, so use the start.
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
