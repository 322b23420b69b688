import type { KeyPage, StoredChild } from '../../../backends/store/indexed-store';
import type { StoreSearch } from './store-search';

/** Rows of a first read, which may show that there are only folders. */
const FIRST_ROWS = 16;
/** Rows to read at most with one query. */
const MAX_ROWS = 400;
const DEFAULT_PAGE = 10_000;

/** The items directly in a folder, and its folders, each of which costs one row however much it contains. */
export async function listChildren(
  look: StoreSearch,
  ns: string,
  directory: string,
  page: KeyPage,
): Promise<StoredChild[]> {
  const { limit = DEFAULT_PAGE } = page;
  const children: StoredChild[] = [];
  let after = page.after?.endsWith('/') ? past(page.after) : (page.after ?? null);
  for (let count = FIRST_ROWS; children.length < limit; ) {
    const rows = look.keys({ ns, prefix: directory, after }, count);
    let folder = '';
    for (const { key, size, modified_at } of rows) {
      if (folder !== '' && key.startsWith(folder)) continue;
      folder = '';
      if (children.length === limit) return children;
      const slash = key.indexOf('/', directory.length);
      if (slash === -1) {
        children.push({ key, size, modified_at, isDirectory: false });
        after = key;
      } else {
        folder = key.slice(0, slash + 1);
        children.push({ key: folder, size: 0, modified_at, isDirectory: true });
        // Skip the whole folder, however many items it contains.
        after = past(folder);
      }
    }
    if (rows.length < count) break;
    // If the rows ended inside a folder, the next item may be a folder too, which needs only one row.
    count = folder === '' ? Math.min(count * 4, MAX_ROWS) : 1;
  }
  return children;
}

/** Above every key in a folder, below every key after it. */
const past = (folder: string) => `${folder}\u{10FFFF}`;
