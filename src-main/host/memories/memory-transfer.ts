import { randomUUID } from 'node:crypto';
import type { Output } from '../../contract/commands';
import { fail, ok, type Result } from '../../contract/result';
import { Author } from '../../harness/storage/sqlite/store';
import type { Storage } from '../../storage';
import { MEMORIES, MEMORY_NAMESPACE } from '../project/mounts';
import type { ShellServices } from '../window/desktop-services';
import type { Hub } from '../window/hub';
import { keyOf, textOf } from './memories';
import type { MemoryFile } from './memory-folder';

/** This import brings the YAML parser, which is not needed at startup. */
const readFolders = () => import('./memory-folder');

interface Prepared {
  /** The existing memory at the time of the preview; null: there was none. */
  wanted: { memory: MemoryFile; before: string | null }[];
}

/** Items read from the store per page. */
const PAGE = 500;
/** Maximum number of previews kept; the oldest goes first. */
const PREVIEWS = 4;

/** Exports memories to, and imports them from, a folder of the person as Markdown. */
export class MemoryTransfer {
  private readonly prepared = new Map<string, Prepared>();

  constructor(
    private readonly storage: Storage,
    private readonly hub: Hub,
    private readonly shell: ShellServices,
  ) {}

  async export(): Promise<Result<Output<'memories.export'>>> {
    const parent = await this.shell.chooseFolder();
    if (parent === null) return ok({ folder: null, count: 0 });
    const files = await this.all();
    const { writeMemories } = await readFolders();
    const folder = await onDisk(() => writeMemories(parent, files));
    return folder.ok ? ok({ folder: folder.value, count: files.length }) : folder;
  }

  /** Shows what importing a folder would do, without changes. */
  async preview(): Promise<Result<Output<'memories.previewImport'>>> {
    const folder = await this.shell.chooseFolder();
    if (folder === null) return ok({ importId: null, entries: [] });
    const { previewOf, readMemories } = await readFolders();
    const read = await onDisk(() => readMemories(folder));
    if (!read.ok) return read;
    const now = new Map((await this.all()).map(({ key, text }) => [key, text]));
    const entries = previewOf(read.value, now);
    const importId = randomUUID();
    const wanted = entries.flatMap(({ state, memory }) =>
      memory !== undefined && (state === 'new' || state === 'changed')
        ? [{ memory, before: now.get(memory.key) ?? null }]
        : [],
    );
    this.prepared.set(importId, { wanted });
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

  private async all(): Promise<MemoryFile[]> {
    const found: MemoryFile[] = [];
    for (let offset = 0; ; offset += PAGE) {
      const page = { offset, limit: PAGE };
      const { items } = await this.storage.browse.find(MEMORY_NAMESPACE, { words: [] }, page);
      for (const { key, value, created, updated } of items) {
        found.push({
          key,
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
async function bringIn(storage: Storage, hub: Hub, { wanted }: Prepared): Promise<Result<{ count: number }>> {
  const items = await Promise.all(
    wanted.map(({ memory }) => storage.store.get(MEMORY_NAMESPACE, memory.key)),
  );
  const isStale = wanted.some(({ before }, at) => {
    const item = items[at];
    return (item ? textOf(item) : null) !== before;
  });
  if (isStale) return fail('stale', 'memories_changed');
  for (const { memory } of wanted) {
    const key = keyOf(`${MEMORIES}${memory.key}`);
    if (!key.ok) return key;
  }
  await storage.store.batch(
    wanted.map(({ memory: { key, text, created, modified, author } }) => ({
      namespace: MEMORY_NAMESPACE,
      key,
      value: {
        content: text,
        mimeType: 'text/markdown',
        created_at: created,
        modified_at: modified,
        written_by: author ?? { by: 'person' },
      },
    })),
  );
  if (wanted.length > 0)
    hub.app({ type: 'memories.changed', paths: wanted.map(({ memory }) => `${MEMORIES}${memory.key}`) });
  return ok({ count: wanted.length });
}

async function onDisk<T>(work: () => Promise<T>): Promise<Result<T>> {
  try {
    return ok(await work());
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return fail('storage', 'folder_unusable', { reason: error.message });
  }
}
