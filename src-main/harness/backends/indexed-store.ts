export interface StoredKey {
  key: string;
  /** Bytes of the item's `content`. */
  size: number;
  /** The value's `modified_at`. */
  modified_at: string;
}

/** One entry directly below a directory of keys: a key itself, or the first of several that go deeper. */
export interface StoredChild extends StoredKey {
  /** True: `key` is the directory with its final `/`; size and time are of no item. */
  isDirectory: boolean;
}

export interface KeyPage {
  /** Only keys after this one, in the store's own order. */
  after?: string;
  limit?: number;
  /**
   * Only keys with these literal texts after the prefix, in this order, none over another, the last one at the end
   * (empty: the end does not matter). A store may give more than these.
   */
  pieces?: readonly string[];
}

/**
 * What a store may offer beyond LangGraph's `BaseStore`, so that StoreBackend asks an index instead of reading every
 * item. Each method is optional. Namespaces are exact: nothing below them is seen. Results are in the order of the
 * keys' UTF-8 bytes (SQLite's BINARY), which is what `after` goes by.
 */
export interface IndexedStore {
  /**
   * Puts `value` (null deletes) where the item's value is still `expected` (null: there is none), in one step that no
   * other process can come between. False: it is another, and nothing was changed.
   */
  compareAndPut?(
    namespace: string[],
    key: string,
    expected: Record<string, unknown> | null,
    value: Record<string, unknown> | null,
  ): Promise<boolean>;
  /**
   * One change of one item in one step: `make` is shown the item and answers with what becomes of it, and nothing, in
   * this process or another, comes between. Answers what `make` did; what it throws is thrown, and nothing was changed.
   */
  change?<T extends ItemChange>(namespace: string[], key: string, make: (now: ItemNow) => T): Promise<T>;
  /**
   * Items whose key begins with `prefix`, which is literal (`%`, `*`, `[` stand for themselves). What has no content, and
   * so is no file, is left out here and among children.
   */
  listKeys?(namespace: string[], prefix: string, page?: KeyPage): Promise<StoredKey[]>;
  /** Entries directly below `directory` (ends in `/`): files, and each deeper folder once. */
  listChildren?(namespace: string[], directory: string, page?: KeyPage): Promise<StoredChild[]>;
  /**
   * Items whose text `content` contains `literal`, exactly and case-sensitively, at most `limit`.
   * Only below `prefix` where one is given. Values are as they were put.
   */
  searchText?(
    namespace: string[],
    literal: string,
    limit: number,
    options?: { prefix?: string; after?: string },
  ): Promise<{ key: string; value: Record<string, unknown> }[]>;
}

/** An item that is about to be changed, to be looked at within the change only. */
export interface ItemNow {
  /** Null: there is none. */
  value: Record<string, unknown> | null;
  /** Whether there is an item of another key in the namespace. */
  isThere(key: string): boolean;
  /** Whether the key of a file begins with `prefix`. */
  isAnyBelow(prefix: string): boolean;
}

/** What becomes of an item: nothing where `value` is left out; null deletes it. */
export interface ItemChange {
  value?: Record<string, unknown> | null;
}
