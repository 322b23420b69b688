import type { BaseStore, PutOperation } from '@langchain/langgraph-checkpoint';
import type { GlobPieces } from '../../../base/globs/glob-pieces';
import { yieldToEventLoop } from '../../../base/yield-to-event-loop';
import { optional } from '../../../contract/shared/optional';
import type { Failure } from '../failure';
import { asDirectory, byCodeUnit, type CheckedPath } from '../paths';
import type { FileDataV2, FileInfo, GrepOptions, GrepResult } from '../protocol';
import { searchTexts, type TextFile } from '../search/text-search';
import { sizeOf } from '../text/content';
import type { Entry } from '../virtual-tree';
import type { IndexedStore } from './indexed-store';
import { changeFailure } from './store-errors';
import { fromValue } from './stored-file';

/** Where a backend's files are: a namespace of a store. */
export interface StorePlace {
  store: BaseStore & IndexedStore;
  namespace: string[];
}

/** Items requested from a store at once. */
const PAGE = 1_000;

/** The file at a path, or null if there is none. */
export async function fileAt({ store, namespace }: StorePlace, path: string): Promise<FileDataV2 | null> {
  const item = await store.get(namespace, path);
  return item === null || item === undefined ? null : fromValue(path, item.value);
}

/** The entries directly in a directory, from a store that lists them itself. Cancel: rejects with the signal's reason. */
export async function indexedChildren(
  listChildren: NonNullable<IndexedStore['listChildren']>,
  namespace: string[],
  at: CheckedPath,
  signal: AbortSignal | undefined,
): Promise<FileInfo[]> {
  const files: FileInfo[] = [];
  for (let after: string | undefined; ; ) {
    const page = await listChildren(namespace, asDirectory(at.path), { limit: PAGE, ...optional({ after }) });
    for (const { key, isDirectory, size, modified_at } of page)
      files.push({ path: key, is_dir: isDirectory, size: isDirectory ? 0 : size, modified_at });
    after = page.at(-1)?.key;
    if (page.length < PAGE) return files;
    await yieldToEventLoop(signal);
  }
}

/**
 * The file itself and everything below it, without contents if the store can list keys. May be only the ones with the
 * requested literal parts.
 */
export async function entriesBelow(
  place: StorePlace,
  at: CheckedPath,
  only: Partial<GlobPieces>,
  signal: AbortSignal | undefined,
): Promise<Entry[]> {
  const { store, namespace } = place;
  const entries: Entry[] = [];
  if (store.listKeys === undefined) {
    for await (const { path, data } of itemsBelow(place, at, signal))
      entries.push({ path, size: sizeOf(data.content), modified_at: data.modified_at });
    return entries;
  }
  const self = at.path === '/' ? null : await fileAt(place, at.path);
  if (self !== null)
    entries.push({ path: at.path, size: sizeOf(self.content), modified_at: self.modified_at });
  for (let after: string | undefined; ; ) {
    const page = await store.listKeys(namespace, `${asDirectory(at.path)}${only.prefix ?? ''}`, {
      limit: PAGE,
      pieces: only.pieces ?? [],
      ...optional({ after }),
    });
    for (const { key, size, modified_at } of page) entries.push({ path: key, size, modified_at });
    after = page.at(-1)?.key;
    if (page.length < PAGE) return entries;
    await yieldToEventLoop(signal);
  }
}

/** Files with contents at and below a path, each once. */
export async function* itemsBelow(
  place: StorePlace,
  at: CheckedPath,
  signal: AbortSignal | undefined,
): AsyncGenerator<{ path: string; data: FileDataV2 }> {
  const folder = asDirectory(at.path);
  const seen = new Set<string>();
  for await (const page of pagesOf(place, folder)) {
    for (const { key, value } of page) {
      if (key !== at.path && !key.startsWith(folder)) continue;
      // An item that changed in between may have moved to a later page.
      if (seen.has(key)) continue;
      seen.add(key);
      const data = fromValue(key, value);
      if (data !== null) yield { path: key, data };
    }
    await yieldToEventLoop(signal);
  }
}

/** Items of the namespace, through the key index below a folder or by reading all of them, which any store can do. */
async function* pagesOf(
  { store, namespace }: StorePlace,
  folder: string,
): AsyncGenerator<{ key: string; value: Record<string, unknown> }[]> {
  if (store.listKeys === undefined) {
    for (let offset = 0; ; offset += PAGE) {
      const page = await store.search(namespace, { limit: PAGE, offset });
      // A search treats a namespace as a prefix of names, and in some stores of characters. Ours is exact.
      yield page.filter((item) => sameNamespace(item.namespace, namespace));
      if (page.length < PAGE) return;
    }
  }
  for (let after: string | undefined; ; ) {
    const keys = await store.listKeys(namespace, folder, {
      limit: PAGE,
      ...optional({ after }),
    });
    const items = await store.batch(keys.map(({ key }) => ({ namespace, key })));
    yield items.flatMap((item) => item ?? []);
    after = keys.at(-1)?.key;
    if (keys.length < PAGE) return;
  }
}

export async function grepIndexed(
  { store, namespace }: StorePlace,
  at: CheckedPath,
  inScope: (path: string) => boolean,
  search: { pattern: string; cap: number } & GrepOptions,
): Promise<GrepResult> {
  const found: GrepResult = { matches: [], truncated: false };
  for (let after: string | undefined; ; ) {
    const left = search.cap - (found.matches?.length ?? 0);
    // One extra item tells whether there are more.
    const limit = Math.min(PAGE, left) + 1;
    const page =
      (await store.searchText?.(namespace, search.pattern, limit, {
        prefix: asDirectory(at.path),
        ...optional({ after }),
      })) ?? [];
    const texts = page.flatMap(({ key, value }) => {
      const data = inScope(key) ? fromValue(key, value) : null;
      return data === null ? [] : textOf(key, data);
    });
    const more = await searchTexts(texts, { ...search, cap: left });
    for (const match of more.matches ?? []) found.matches?.push(match);
    after = page.at(-1)?.key;
    if (more.truncated) {
      found.truncated = true;
      break;
    }
    if (page.length < limit) break;
    await yieldToEventLoop(search.signal);
  }
  found.matches?.sort((a, b) => byCodeUnit(a.path, b.path) || a.line - b.line);
  return found;
}

/** Compares as stores do: some join the labels with colons, and split them again at colons inside labels. */
const sameNamespace = (a: string[], b: string[]): boolean => a.join(':') === b.join(':');

export const textOf = (path: string, data: FileDataV2): TextFile[] =>
  typeof data.content === 'string' && !data.content.includes('\0') ? [{ path, text: data.content }] : [];

/** Stores a value if the item is still as expected. A store that cannot tell stores it in any case. */
export async function putIf(
  store: Pick<BaseStore, 'batch'> & IndexedStore,
  { namespace, key, value }: PutOperation,
  expected: Record<string, unknown> | null,
): Promise<boolean | Failure> {
  try {
    if (store.compareAndPut !== undefined) return await store.compareAndPut(namespace, key, expected, value);
    // Not `put`: LangGraph's rejects namespaces with a dot.
    await store.batch([{ namespace, key, value }]);
    return true;
  } catch (thrown) {
    return changeFailure(key, thrown);
  }
}
