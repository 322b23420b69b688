import {
  BaseStore,
  type IndexConfig,
  type Item,
  type Operation,
  type OperationResults,
  type SearchItem,
  type SearchOperation,
} from '@langchain/langgraph-checkpoint';
import { anyObject, checkOptions, func } from '../../../../base/check-options';
import type { Db } from '../../../../base/sqlite/db';
import { decodeNamespace, encodeNamespace } from '../../../../base/sqlite/store-namespaces';
import { yieldToEventLoop } from '../../../../base/yield-to-event-loop';
import { optional } from '../../../../contract/shared/optional';
import type {
  IndexedStore,
  ItemChange,
  ItemNow,
  KeyPage,
  StoredChild,
  StoredKey,
} from '../../../backends/store/indexed-store';
import { matchesFilter, pageOf, pageOfNamespaces } from '../../store-filter';
import { checkNamespace } from '../../store-names';
import { listChildren } from './store-children';
import { openStoreKeys } from './store-keys';
import { keyPattern } from './store-patterns';
import { rank } from './store-ranking';
import { openStoreSearch, type StoreSearch } from './store-search';
import { type Head, openStoreTables, type StoreTables } from './store-tables';
import { type FoundText, searchText } from './store-text-search';
import { BUDGET, openStoreUpkeep, type StoreUpkeep } from './store-upkeep';
import { type Author, authorOf, contentOf, itemOf, parse, rowOf } from './store-values';
import { embed, openStoreVectors, type StoreVectors, textsOf, type Vectors } from './store-vectors';

export { Author } from './store-values';

/** Where an item is. */
export interface StoredName {
  /** The labels of its namespace. */
  namespace: string[];
  /** Its key in the namespace. */
  key: string;
}

/** One version of an item. */
export interface StoredVersion {
  /** Counts from 1 for each key. */
  version: number;
  /** Milliseconds since 1970. */
  at: number;
  /** Null if unknown. */
  author: Author | null;
  /** Null: this version is a delete. */
  value: Record<string, unknown> | null;
}

/** Rows to read before yielding to the event loop: about 2 ms. */
const ROWS_PER_SLICE = 400;
/** Keys to compare with a pattern before yielding to the event loop: about 2 ms. */
const KEYS_PER_SLICE = 10_000;
/** Log rows to check together for droppable versions. */
const PRUNE_BATCH = 10_000;
const DEFAULT_PAGE = 10_000;

/** Options of `SqliteStore`. */
export interface SqliteStoreOptions {
  /** The current time in milliseconds since 1970. Default: `Date.now`. */
  now?: () => number;
  /** An embedding model, with which `search({ query })` finds by meaning. Its `fields` default to the whole value. */
  index?: IndexConfig;
  /** Called on writes if something else checkpoints the WAL. Otherwise the store does when idle. */
  wrote?: () => void;
}

/**
 * LangGraph's store on SQLite. `search` takes a namespace as a prefix of labels, as LangGraph's own store does; the methods
 * of IndexedStore match it exactly. `query` finds by meaning if the store has an embedding model, else by words. Values are
 * JSON. Every version is kept, with its author if `value.written_by` names one, until they exceed the budget. A write is on
 * the disk when it resolves (WAL, `synchronous=FULL`), so it survives a power cut. Its text is indexed a moment later in a
 * batch; until then every search reads it.
 */
export class SqliteStore extends BaseStore implements IndexedStore {
  /** Undefined with an embedding model, because that is called between the read and the change. */
  readonly change?: NonNullable<IndexedStore['change']>;
  readonly #tables: StoreTables;
  readonly #now: () => number;
  readonly #look: StoreSearch;
  readonly #keys: ReturnType<typeof openStoreKeys>;
  readonly #vectors: StoreVectors;
  readonly #index: IndexConfig | undefined;
  readonly #transact: { deferred(work: () => void): void; immediate(work: () => void): void };
  readonly #upkeep: StoreUpkeep;
  /** Writes that wait for an embedding model run in call order. */
  #turn: Promise<unknown> = Promise.resolve();

  /** Creates its tables if they are missing. The caller closes the database. */
  constructor(db: Db, options: SqliteStoreOptions = {}) {
    super();
    checkOptions('SqliteStore', options, { now: func, index: anyObject, wrote: func });
    this.#tables = openStoreTables(db);
    this.#look = openStoreSearch(db);
    this.#keys = openStoreKeys(db);
    this.#vectors = openStoreVectors(db);
    this.#now = options.now ?? Date.now;
    this.#index = options.index;
    this.#upkeep = openStoreUpkeep(db, this.#tables, {
      textOf: (json) => contentOf(parse(json)),
      ...optional({ wrote: options.wrote }),
    });
    this.#transact = db.transaction((work: () => void) => work());
    if (options.index === undefined)
      this.change = (namespace, key, make) => this.#change(namespace, key, make);
  }

  /** Reads see the state before the writes of the same batch. Of two writes to one key, the last wins. */
  override async batch<Op extends Operation[]>(operations: Op): Promise<OperationResults<Op>> {
    if (this.#index !== undefined && writesIn(operations))
      return this.#inTurn(async () => this.#batch(operations, await this.#embed(operations)));
    return this.#batch(operations, null);
  }

  async #batch<Op extends Operation[]>(
    operations: Op,
    vectors: Map<Operation, Vectors> | null,
  ): Promise<OperationResults<Op>> {
    const ranked = new Map<Operation, SearchItem[]>();
    for (const operation of operations)
      if ('namespacePrefix' in operation && operation.query?.trim())
        ranked.set(operation, await this.#rank({ ...operation, query: operation.query }));
    const results: unknown[] = [];
    const writes = new Map<string, () => void>();
    this.#write(() => {
      for (const operation of operations) {
        if ('namespacePrefix' in operation) results.push(ranked.get(operation) ?? this.#search(operation));
        else if ('value' in operation) {
          const { namespace, key, value } = operation;
          results.push(undefined);
          writes.set(JSON.stringify([namespace, key]), () =>
            this.#put(namespace, key, value, vectors?.get(operation)),
          );
        } else if ('key' in operation) results.push(this.#get(operation.namespace, operation.key));
        else results.push(this.#namespaces(operation));
      }
      for (const write of writes.values()) write();
    }, writesIn(operations));
    if (this.#upkeep.isBehind()) await this.#upkeep.catchUp();
    return results as OperationResults<Op>;
  }

  /** The vectors of all puts, with one request to the model. */
  async #embed(operations: Operation[]): Promise<Map<Operation, Vectors>> {
    const config = this.#index;
    const vectors = new Map<Operation, Vectors>();
    if (config === undefined) return vectors;
    const puts = operations.flatMap((operation) => {
      if (!('value' in operation) || operation.value === null || operation.index === false) return [];
      return [{ operation, texts: textsOf(operation.value, config, operation.index) }];
    });
    const all = await embed(
      puts.flatMap(({ texts }) => texts),
      config,
    );
    for (const { operation, texts } of puts) vectors.set(operation, all.splice(0, texts.length));
    return vectors;
  }

  #rank(wanted: SearchOperation & { query: string }): Promise<SearchItem[]> {
    return rank({ tables: this.#tables, vectors: this.#vectors, index: this.#index, itemOf }, wanted);
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#turn.then(work);
    this.#turn = mine.catch(() => undefined);
    return mine;
  }

  /** Needs no transaction: a single lookup sees one state. */
  override async get(namespace: string[], key: string): Promise<Item | null> {
    return this.#get(namespace, key);
  }

  /** Labels may be anything but empty. Unlike LangGraph's check, this allows a dot, as in an e-mail address. */
  override async put(
    namespace: string[],
    key: string,
    value: Record<string, unknown>,
    index?: false | string[],
  ): Promise<void> {
    await this.batch([{ namespace, key, value, ...optional({ index }) }]);
  }

  async listKeys(namespace: string[], prefix: string, page: KeyPage = {}): Promise<StoredKey[]> {
    const { after = null, limit = DEFAULT_PAGE, pieces = [] } = page;
    const ns = encodeNamespace(namespace);
    if (pieces.every((piece) => piece === '')) return this.#look.keys({ ns, prefix, after }, limit);
    this.#keys.looked(ns);
    const pattern = keyPattern(prefix, pieces);
    const found: StoredKey[] = [];
    for (let at = after; ; await yieldToEventLoop()) {
      const range = { ns, prefix, after: at };
      const { rows, last } =
        this.#keys.find(range, pieces, limit - found.length) ??
        this.#look.keysLike(range, pattern, KEYS_PER_SLICE);
      for (const row of rows) if (found.push(row) === limit) return found;
      if (last === null) return found;
      at = last;
    }
  }

  async listChildren(namespace: string[], directory: string, page: KeyPage = {}): Promise<StoredChild[]> {
    return listChildren(this.#look, encodeNamespace(namespace), directory, page);
  }

  async searchText(
    namespace: string[],
    literal: string,
    limit: number,
    options: { prefix?: string; after?: string } = {},
  ): Promise<FoundText[]> {
    const { prefix = '', after = null } = options;
    this.#upkeep.searched();
    return searchText(this.#look, { ns: encodeNamespace(namespace), prefix, after }, literal, limit);
  }

  async #change<T extends ItemChange>(
    namespace: string[],
    key: string,
    make: (now: ItemNow) => T,
  ): Promise<T> {
    const ns = encodeNamespace(namespace);
    const made: T[] = [];
    this.#write(() => {
      const { head, value } = this.#tables.before(ns, key);
      const change = make({
        value: value === null ? null : parse(value),
        isThere: (other) => this.#tables.isThere(ns, other),
        isAnyBelow: (prefix) => this.#look.keys({ ns, prefix, after: null }, 1).length > 0,
      });
      if (change.value !== undefined) this.#put(namespace, key, change.value, [], head);
      made.push(change);
    }, true);
    if (this.#upkeep.isBehind()) await this.#upkeep.catchUp();
    return made[0] as T;
  }

  /** Compares JSON texts, the stored format. */
  async compareAndPut(
    namespace: string[],
    key: string,
    expected: Record<string, unknown> | null,
    value: Record<string, unknown> | null,
  ): Promise<boolean> {
    const put: Operation = { namespace, key, value };
    const change = async (vectors?: Vectors) => {
      let isExpected = false;
      this.#write(() => {
        const [found = null] = this.#tables.get(encodeNamespace(namespace), key) ?? [];
        isExpected = found === (expected === null ? null : JSON.stringify(expected));
        if (isExpected) this.#put(namespace, key, value, vectors);
      }, true);
      if (this.#upkeep.isBehind()) await this.#upkeep.catchUp();
      return isExpected;
    };
    if (this.#index === undefined) return change();
    return this.#inTurn(async () => change((await this.#embed([put])).get(put)));
  }

  /** All kept versions of one key, newest first. */
  async versions(namespace: string[], key: string): Promise<StoredVersion[]> {
    return this.#tables.versions(encodeNamespace(namespace), key).map((row) => ({
      version: row.version,
      at: row.at,
      author: authorOf(row.author, row.threadId, row.callId),
      value: row.value === null ? null : parse(row.value),
    }));
  }

  /**
   * What one tool call wrote, newest first. To undo it, restore the version before each, or delete the key if there is none.
   */
  async writtenBy(
    threadId: string,
    callId: string,
  ): Promise<
    {
      namespace: string[];
      key: string;
      /** The version that the call wrote, see `StoredVersion.version`. */
      version: number;
    }[]
  > {
    return this.#tables.ofCall(threadId, callId).map(({ ns, key, version }) => ({
      namespace: decodeNamespace(ns),
      key,
      version,
    }));
  }

  /** Makes an older version's value the newest. Returns null and changes nothing if that version has no value or is gone. */
  async restore(namespace: string[], key: string, version: number): Promise<Item | null> {
    const old = (await this.versions(namespace, key)).find((one) => one.version === version);
    if (!old?.value) return null;
    await this.put(namespace, key, old.value);
    return this.#get(namespace, key);
  }

  /**
   * Moves an item with its versions. False, and nothing changes, if there is none or the new name is taken. The move counts
   * as a version with the same value.
   */
  async move(from: StoredName, to: StoredName): Promise<boolean> {
    const [one, other] = [from, to].map(({ namespace, key }) => ({ ns: encodeNamespace(namespace), key }));
    if (one === undefined || other === undefined) return false;
    let isMoved = false;
    this.#write(() => {
      const [json] = this.#tables.get(one.ns, one.key) ?? [];
      isMoved = json !== undefined && !this.#tables.isThere(other.ns, other.key);
      if (json === undefined || !isMoved) return;
      this.#tables.exchange(one, other);
      this.#tables.put(other.ns, other.key, rowOf(parse(json)), this.#now());
    }, true);
    return isMoved;
  }

  /** Drops the oldest versions beyond `bytes`. Current versions and the last values of deleted items stay. */
  prune(bytes = BUDGET): void {
    this.#transact.immediate(() => {
      for (let at: number | null = 0; at !== null; ) at = this.#tables.prune(bytes, at, PRUNE_BATCH);
    });
  }

  #write(change: () => void, isWriting: boolean): void {
    if (isWriting) this.#transact.immediate(change);
    else this.#transact.deferred(change);
  }

  /** `before`: the current item (null: it never existed), if just read. */
  #put(
    namespace: string[],
    key: string,
    value: Record<string, unknown> | null,
    vectors: Vectors = [],
    before?: Head | null,
  ): void {
    checkNamespace(namespace);
    if (value === undefined) throw new TypeError('A value must be an object, or null to delete the item.');
    const row = rowOf(value);
    const written = this.#tables.put(encodeNamespace(namespace), key, row, this.#now(), before);
    if (written === null) return;
    this.#vectors.replace(written, vectors);
    this.#upkeep.wrote(row.value?.length ?? 0);
  }

  #get(namespace: string[], key: string): Item | null {
    const row = this.#tables.get(encodeNamespace(namespace), key);
    if (row === undefined) return null;
    const [value, created, updated] = row;
    return {
      namespace: [...namespace],
      key,
      value: parse(value),
      createdAt: new Date(created),
      updatedAt: new Date(updated),
    };
  }

  #search(operation: {
    namespacePrefix: string[];
    filter?: Record<string, unknown>;
    limit?: number;
    offset?: number;
  }): SearchItem[] {
    const { namespacePrefix, filter } = operation;
    const { limit, offset } = pageOf(operation);
    const ns = encodeNamespace(namespacePrefix);
    if (!filter) return this.#tables.below(namespacePrefix, ns, limit, offset).map(itemOf);
    const found: SearchItem[] = [];
    let skipped = 0;
    for (let at = 0; found.length < limit; at += ROWS_PER_SLICE) {
      const rows = this.#tables.below(namespacePrefix, ns, ROWS_PER_SLICE, at);
      for (const row of rows) {
        const item = itemOf(row);
        if (!matchesFilter(item.value, filter)) continue;
        if (skipped < offset) skipped += 1;
        else if (found.length < limit) found.push(item);
      }
      if (rows.length < ROWS_PER_SLICE) break;
    }
    return found;
  }

  #namespaces(operation: Extract<Operation, { matchConditions?: unknown }>): string[][] {
    return pageOfNamespaces(this.#tables.namespaces().map(decodeNamespace), operation);
  }
}

const writesIn = (operations: Operation[]) => operations.some((operation) => 'value' in operation);
