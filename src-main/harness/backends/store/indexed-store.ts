/** An item without its value. */
export interface StoredKey {
  /** The item's key. */
  key: string;
  /** Size of the item's `content` in bytes. */
  size: number;
  /** The value's `modified_at`. */
  modified_at: string;
}

/** One entry directly below a directory of keys: a key, or the first of several deeper ones. */
export interface StoredChild extends StoredKey {
  /** True: `key` is the directory with its trailing `/`, and size and time belong to no item. */
  isDirectory: boolean;
}

/** Which keys to list. */
export interface KeyPage {
  /** Only keys after this one, in the store's order. */
  after?: string;
  /** Maximum number of keys. Default: all. */
  limit?: number;
  /**
   * Only keys with these literal texts after the prefix, in this order and without overlap, the last one at the end (empty:
   * the end does not matter). A store may return more than these.
   */
  pieces?: readonly string[];
}

/**
 * What a store may offer beyond LangGraph's `BaseStore`, so that StoreBackend uses an index instead of reading every item.
 * Each method is optional. Namespaces are exact and exclude nested ones. Results are in the order of the keys' UTF-8 bytes
 * (SQLite's BINARY), which `after` follows.
 */
export interface IndexedStore {
  /**
   * Puts `value` (null deletes) if the item's value is still `expected` (null: there is none), atomically across processes.
   * False: the value differs, and nothing changed.
   */
  compareAndPut?(
    namespace: string[],
    key: string,
    expected: Record<string, unknown> | null,
    value: Record<string, unknown> | null,
  ): Promise<boolean>;
  /**
   * Changes one item atomically: `make` sees the item and returns its new state, and nothing comes between, in this process
   * or another. Returns the result of `make`. If `make` throws, so does this, and nothing changes.
   */
  change?<T extends ItemChange>(namespace: string[], key: string, make: (now: ItemNow) => T): Promise<T>;
  /**
   * Items whose key starts with `prefix`, which is literal (`%`, `*`, `[` stand for themselves). Items without content are
   * no files, so they are left out here and among children.
   */
  listKeys?(namespace: string[], prefix: string, page?: KeyPage): Promise<StoredKey[]>;
  /** Entries directly below `directory` (ends with `/`): files, and each deeper folder once. */
  listChildren?(namespace: string[], directory: string, page?: KeyPage): Promise<StoredChild[]>;
  /**
   * At most `limit` items whose text `content` contains `literal`, exactly and case-sensitively. Values are returned as they
   * were put.
   */
  searchText?(
    namespace: string[],
    literal: string,
    limit: number,
    options?: {
      /** Only keys that start with this text, which is literal. Default: all. */
      prefix?: string;
      /** Only keys after this one, in the store's order. */
      after?: string;
    },
  ): Promise<{ key: string; value: Record<string, unknown> }[]>;
}

/** An item about to change. Valid only within the change. */
export interface ItemNow {
  /** Null if there is none. */
  value: Record<string, unknown> | null;
  /** Whether the namespace has an item with another key. */
  isThere(key: string): boolean;
  /** Whether a file's key starts with `prefix`. */
  isAnyBelow(prefix: string): boolean;
}

/** The new state of an item: unchanged if `value` is left out, deleted if it is null. */
export interface ItemChange {
  /** Null deletes the item. */
  value?: Record<string, unknown> | null;
}
