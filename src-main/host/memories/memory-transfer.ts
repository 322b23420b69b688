import { randomUUID } from 'node:crypto';
import type { Output } from '../../contract/commands';
import { reasonOf } from '../../contract/errors';
import { fail, ok, type Result } from '../../contract/result';
import { Author } from '../../harness/storage/sqlite/store/store';
import type { Storage } from '../../storage';
import { MEMORIES, SHARED_NAMESPACE } from '../project/mounts';
import type { DesktopServices } from '../window/desktop-services';
import type { Hub } from '../window/hub';
import { textOf } from './memories';
import type { MemoryFile, ReadMemory } from './memory-folder';
import {
  type MemoryPlace,
  memoryAt,
  namespaceOf,
  pathOfMemory,
  tellChanged,
  type Viewer,
} from './memory-scopes';

/** This import brings the YAML parser, which is not needed at startup. */
const readFolders = () => import('./memory-folder');

interface Prepared {
  /** The existing memory at the time of the preview; null: there was none. */
  wanted: { memory: MemoryFile; before: string | null }[];
  viewer: Viewer;
}

/** Items read from the store per page. */
const PAGE = 500;
/** Maximum number of previews kept; the oldest goes first. */
const PREVIEWS = 4;

/**
 * Exports memories to, and imports them from, a folder of the person as Markdown. It has the paths below `/memories/`: those
 * for everywhere are in its folder `shared`.
 */
export class MemoryTransfer {
  private readonly prepared = new Map<string, Prepared>();

  constructor(
    private readonly storage: Storage,
    private readonly hub: Hub,
    private readonly desktop: DesktopServices,
  ) {}

  async export(viewer: Viewer): Promise<Result<Output<'memories.export'>>> {
    const parent = await this.desktop.chooseFolder();
    if (parent === null) return ok({ folder: null, count: 0 });
    const files = await this.all(viewer);
    const { writeMemories } = await readFolders();
    const folder = await onDisk(() => writeMemories(parent, files));
    return folder.ok ? ok({ folder: folder.value, count: files.length }) : folder;
  }

  /** Shows what importing a folder would do, without changes. */
  async preview(viewer: Viewer): Promise<Result<Output<'memories.previewImport'>>> {
    const folder = await this.desktop.chooseFolder();
    if (folder === null) return ok({ importId: null, entries: [] });
    const { previewOf, readMemories } = await readFolders();
    const read = await onDisk(() => readMemories(folder));
    if (!read.ok) return read;
    const now = new Map((await this.all(viewer)).map(({ key, text }) => [key, text]));
    const entries = previewOf(
      read.value.map((one) => this.usable(one, viewer)),
      now,
    );
    const importId = randomUUID();
    const wanted = entries.flatMap(({ state, memory }) =>
      memory !== undefined && (state === 'new' || state === 'changed')
        ? [{ memory, before: now.get(memory.key) ?? null }]
        : [],
    );
    this.prepared.set(importId, { wanted, viewer });
    for (const old of this.prepared.keys()) if (this.prepared.size > PREVIEWS) this.prepared.delete(old);
    return ok({ importId, entries: entries.map(({ memory: _memory, ...entry }) => entry) });
  }

  /** Imports what was shown. Errors: `not_found` for an expired preview, `stale` if memories changed since. */
  async import(importId: string): Promise<Result<{ count: number }>> {
    const known = this.prepared.get(importId);
    if (known === undefined) return fail('not_found', 'choose_folder_again');
    this.prepared.delete(importId);
    return bringIn(this.storage, this.hub, known);
  }

  drop(importId: string): void {
    this.prepared.delete(importId);
  }

  /** Without a project, only memories for everywhere can be imported. */
  private usable(read: ReadMemory, viewer: Viewer): ReadMemory {
    if (read.memory === undefined) return read;
    const at = memoryAt(this.storage, read.path, viewer);
    return at.ok ? read : { path: read.path, reason: reasonOf(at.error) };
  }

  private async all(viewer: Viewer): Promise<MemoryFile[]> {
    const own = namespaceOf(this.storage, viewer);
    const namespaces = own === null ? [SHARED_NAMESPACE] : [own, SHARED_NAMESPACE];
    const found: MemoryFile[] = [];
    for (let offset = 0; ; offset += PAGE) {
      const page = { offset, limit: PAGE };
      const { items } = await this.storage.browse.find(namespaces, { words: [] }, page);
      for (const { namespace, key, value, created, updated } of items) {
        found.push({
          key: pathOfMemory({ namespace, key }).slice(MEMORIES.length),
          text: textOf({ value }),
          // The time it was written, which an import keeps. The store's own times say when it was imported.
          created: dateOf(value.created_at) ?? new Date(created).toISOString(),
          modified: dateOf(value.modified_at) ?? new Date(updated).toISOString(),
          author: Author.safeParse(value.written_by).data ?? null,
        });
      }
      if (items.length < PAGE) return found;
    }
  }
}

const dateOf = (value: unknown): string | null =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? value : null;

/** Imports all memories, or none if something changed since the preview. */
async function bringIn(
  storage: Storage,
  hub: Hub,
  { wanted, viewer }: Prepared,
): Promise<Result<{ count: number }>> {
  const places: MemoryPlace[] = [];
  for (const { memory } of wanted) {
    const at = memoryAt(storage, `${MEMORIES}${memory.key}`, viewer);
    if (!at.ok) return at;
    places.push(at.value);
  }
  const items = await storage.store.batch(places.map(({ namespace, key }) => ({ namespace, key })));
  const isStale = wanted.some(({ before }, at) => {
    const item = items[at];
    return (item ? textOf(item) : null) !== before;
  });
  if (isStale) return fail('stale', 'memories_changed');
  await storage.store.batch(
    wanted.map(({ memory: { text, created, modified, author } }, at) => ({
      ...(places[at] as MemoryPlace),
      value: {
        content: text,
        mimeType: 'text/markdown',
        created_at: created,
        modified_at: modified,
        written_by: author ?? { by: 'person' },
      },
    })),
  );
  if (wanted.length > 0) tellChanged(hub, places);
  return ok({ count: wanted.length });
}

async function onDisk<T>(work: () => Promise<T>): Promise<Result<T>> {
  try {
    return ok(await work());
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return fail('storage', 'folder_unusable', {}, error.message);
  }
}
