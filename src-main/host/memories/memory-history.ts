import type { MemoryEntry } from '../../contract/app';
import type { DiffHunk } from '../../contract/approvals';
import { boundedDiff } from '../../contract/bounded-diff';
import type { MemoryVersion } from '../../contract/commands/memories';
import { fail, ok, type Result } from '../../contract/result';
import type { Storage } from '../../storage';
import type { Hub } from '../window/hub';
import { entryOf, textOf, writerOf } from './memories';
import { memoryAt, tellChanged, type Viewer } from './memory-scopes';

/** The versions of memories: view, compare, restore and confirm. */
export class MemoryHistory {
  constructor(
    private readonly storage: Storage,
    private readonly hub: Hub,
  ) {}

  /** Errors: `not_found`. */
  async versions(path: string, viewer: Viewer): Promise<Result<{ versions: MemoryVersion[] }>> {
    const found = await this.kept(path, viewer);
    if (!found.ok) return found;
    const versions = found.value.all.map(
      ({ version, at, author, value }): MemoryVersion => ({
        version,
        at,
        writtenBy: author === null ? null : writerOf(author),
        size: value === null ? null : Buffer.byteLength(textOf({ value })),
      }),
    );
    return ok({ versions });
  }

  /** Errors: `not_found`, even for a version that is no longer kept. */
  async compare(
    path: string,
    { from, to }: { from: number; to: number },
    viewer: Viewer,
  ): Promise<Result<{ hunks: DiffHunk[]; text: string }>> {
    const found = await this.kept(path, viewer);
    if (!found.ok) return found;
    const textAt = (wanted: number): string | null => {
      if (wanted === 0) return '';
      const version = found.value.all.find((one) => one.version === wanted);
      return version === undefined ? null : version.value === null ? '' : textOf({ value: version.value });
    };
    const [before, after] = [textAt(from), textAt(to)];
    if (before === null || after === null) return fail('not_found', 'version_gone');
    return ok({ hunks: boundedDiff(before, after).hunks, text: after });
  }

  /** Errors: `not_found`. */
  async restore(path: string, version: number, viewer: Viewer): Promise<Result<{ memory: MemoryEntry }>> {
    const at = memoryAt(this.storage, path, viewer);
    if (!at.ok) return at;
    const item = await this.storage.store.restore(at.value.namespace, at.value.key, version);
    if (item === null) return fail('not_found', 'version_gone_or_deleted');
    tellChanged(this.hub, [at.value]);
    return ok({ memory: entryOf(item) });
  }

  /** Marks the memory as confirmed by the person. Errors: `not_found`, `stale` if it changed since they read it. */
  async confirm(path: string, expected: number, viewer: Viewer): Promise<Result<{ memory: MemoryEntry }>> {
    const at = memoryAt(this.storage, path, viewer);
    if (!at.ok) return at;
    const { namespace, key } = at.value;
    const { store } = this.storage;
    const item = await store.get(namespace, key);
    if (!item) return fail('not_found', 'no_memory', { path });
    const confirmed = { ...item.value, written_by: { by: 'person' } };
    const isSame =
      item.updatedAt.getTime() === expected &&
      (await store.compareAndPut(namespace, key, item.value, confirmed));
    if (!isSame) return fail('stale', 'memory_changed_since_read');
    tellChanged(this.hub, [at.value]);
    const now = await store.get(namespace, key);
    return now ? ok({ memory: entryOf(now) }) : fail('not_found', 'no_memory', { path });
  }

  private async kept(path: string, viewer: Viewer) {
    const at = memoryAt(this.storage, path, viewer);
    if (!at.ok) return at;
    const all = await this.storage.store.versions(at.value.namespace, at.value.key);
    return all.length === 0 ? fail('not_found', 'no_memory', { path }) : ok({ all });
  }
}
