import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  BaseStore,
  type Item,
  type Operation,
  type OperationResults,
  type SearchItem,
} from '@langchain/langgraph-checkpoint';
import { z } from 'zod';
import type { IndexedStore, KeyPage, StoredChild, StoredKey } from '../backends/protocol';
import { CallId, ThreadId } from '../contract/ids';
import type { Db } from './open';
import { decodeNamespace, encodeNamespace, matchesFilter, pageOfNamespaces } from './store-filter';
import { type ItemRow, type NewValue, openStoreTables } from './store-tables';

export const Author = z.discriminatedUnion('by', [
  z.object({ by: z.literal('person') }),
  z.object({
    by: z.literal('agent'),
    threadId: ThreadId.nullable().default(null),
    callId: CallId.nullable().default(null),
  }),
]);
type Author = z.infer<typeof Author>;

interface StoredVersion {
  /** From 1 upwards for each key. */
  version: number;
  /** Milliseconds since 1970. */
  at: number;
  /** Null where it was not said. */
  author: Author | null;
  /** Null: this version is a delete. */
  value: Record<string, unknown> | null;
}

/** Bytes of all versions together above which old ones go. */
const BUDGET = 256 * 1024 * 1024;
/** Writes between two looks at the budget. */
const PRUNE_EVERY = 256;
/** More hits than this and reading in the order of keys finds a page sooner than sorting the hits. */
const MANY_HITS = 2_000;
/** Rows read before the event loop gets its turn: about 2 ms. */
const ROWS_AT_ONCE = 200;
/** Trigrams that narrow a search down; the text itself is checked afterwards. */
const MAX_TRIGRAMS = 12;
const DEFAULT_PAGE = 10_000;

/**
 * LangGraph's store on SQLite. `search` takes a namespace as a prefix of labels and ignores `query` (there are no
 * embeddings), as LangGraph's own does; the methods of IndexedStore take it exactly. Values are JSON. Every version is
 * kept, with its author where `value.written_by` says it, until they exceed the budget. A write is durable when it resolves.
 */
export class SqliteStore extends BaseStore implements IndexedStore {
  readonly #db: Db;
  readonly #tables: ReturnType<typeof openStoreTables>;
  readonly #now: () => number;
  #writes = 0;

  constructor(db: Db, now: () => number = Date.now) {
    super();
    this.#db = db;
    this.#tables = openStoreTables(db);
    this.#now = now;
  }

  /** Reads see the state before the writes of the same batch; of two writes to one key the last counts. */
  override async batch<Op extends Operation[]>(operations: Op): Promise<OperationResults<Op>> {
    const results: unknown[] = [];
    const writes = new Map<string, () => void>();
    this.#write(() => {
      for (const operation of operations) {
        if ('namespacePrefix' in operation) results.push(this.#search(operation));
        else if ('value' in operation) {
          const { namespace, key, value } = operation;
          results.push(undefined);
          writes.set(JSON.stringify([namespace, key]), () => this.#put(namespace, key, value));
        } else if ('key' in operation) results.push(this.#get(operation.namespace, operation.key));
        else results.push(this.#namespaces(operation));
      }
      for (const write of writes.values()) write();
    }, writesIn(operations));
    return results as OperationResults<Op>;
  }

  /** Without a transaction: one look-up sees one state. */
  override async get(namespace: string[], key: string): Promise<Item | null> {
    return this.#get(namespace, key);
  }

  /** Labels may be anything but empty: unlike LangGraph's check, a dot (an e-mail address) is fine. */
  override async put(namespace: string[], key: string, value: Record<string, unknown>): Promise<void> {
    await this.batch([{ namespace, key, value }]);
  }

  async listKeys(namespace: string[], prefix: string, page: KeyPage = {}): Promise<StoredKey[]> {
    const { after = null, limit = DEFAULT_PAGE } = page;
    return this.#tables.keys(encodeNamespace(namespace), prefix, after, limit);
  }

  async listChildren(namespace: string[], directory: string, page: KeyPage = {}): Promise<StoredChild[]> {
    const { limit = DEFAULT_PAGE } = page;
    const ns = encodeNamespace(namespace);
    const children: StoredChild[] = [];
    let after = page.after?.endsWith('/') ? past(page.after) : (page.after ?? null);
    for (let count = ROWS_AT_ONCE; children.length < limit; ) {
      const rows = this.#tables.keys(ns, directory, after, count);
      let folder = '';
      for (const row of rows) {
        if (folder !== '' && row.key.startsWith(folder)) continue;
        folder = '';
        if (children.length === limit) return children;
        const slash = row.key.indexOf('/', directory.length);
        if (slash === -1) {
          children.push({ ...row, isDirectory: false });
          after = row.key;
        } else {
          folder = row.key.slice(0, slash + 1);
          children.push({ key: folder, size: 0, modified_at: row.modified_at, isDirectory: true });
          // However many there are in it, the next look goes past it.
          after = past(folder);
        }
      }
      if (rows.length < count) break;
      // Where the rows ended inside a folder, the next may be a folder as well, of which one row is enough.
      count = folder === '' ? Math.min(count * 4, ROWS_AT_ONCE) : 1;
    }
    return children;
  }

  async searchText(
    namespace: string[],
    literal: string,
    limit: number,
    options: { prefix?: string; after?: string } = {},
  ): Promise<{ key: string; value: Record<string, unknown> }[]> {
    const ns = encodeNamespace(namespace);
    const { prefix = '', after = null } = options;
    const query = trigramQuery(literal);
    const found: { key: string; value: Record<string, unknown> }[] = [];
    const look = (row: ItemRow) => {
      const value = parse(row.value);
      if (contentOf(value)?.includes(literal)) found.push({ key: row.key, value });
    };

    if (query !== null && this.#tables.countHits(query, MANY_HITS) < MANY_HITS) {
      const keys = this.#tables
        .candidates(ns, query)
        .filter((key) => key.startsWith(prefix) && (after === null || byBytes(key, after) > 0))
        .sort(byBytes);
      for (const [index, key] of keys.entries()) {
        const row = this.#tables.get(ns, key);
        if (row) look(row);
        if (found.length >= limit) break;
        if (index % ROWS_AT_ONCE === ROWS_AT_ONCE - 1) await nextTurn();
      }
      return found;
    }
    for (let at = after; ; ) {
      const rows = this.#tables.scan(ns, prefix, at, ROWS_AT_ONCE);
      for (const row of rows) {
        look(row);
        if (found.length >= limit) return found;
      }
      at = rows.at(-1)?.key ?? at;
      if (rows.length < ROWS_AT_ONCE) return found;
      await nextTurn();
    }
  }

  /** The comparison is of JSON texts, which are what is stored. */
  async compareAndPut(
    namespace: string[],
    key: string,
    expected: Record<string, unknown> | null,
    value: Record<string, unknown> | null,
  ): Promise<boolean> {
    let isExpected = false;
    this.#write(() => {
      const row = this.#tables.get(encodeNamespace(namespace), key);
      isExpected = (row?.value ?? null) === (expected === null ? null : JSON.stringify(expected));
      if (isExpected) this.#put(namespace, key, value);
    }, true);
    return isExpected;
  }

  /** All that is kept of one key, newest first. */
  async versions(namespace: string[], key: string): Promise<StoredVersion[]> {
    return this.#tables.versions(encodeNamespace(namespace), key).map((row) => ({
      version: row.version,
      at: row.at,
      author: authorOf(row.author, row.threadId, row.callId),
      value: row.value === null ? null : parse(row.value),
    }));
  }

  /** What one tool call wrote, newest first: to take it back, restore the version before each, or delete where there is none. */
  async writtenBy(
    threadId: ThreadId,
    callId: CallId,
  ): Promise<{ namespace: string[]; key: string; version: number }[]> {
    return this.#tables.ofCall(threadId, callId).map(({ ns, key, version }) => ({
      namespace: decodeNamespace(ns),
      key,
      version,
    }));
  }

  /** Makes the value of an older version the newest. Null, and nothing changes, where that version has no value or is gone. */
  async restore(namespace: string[], key: string, version: number): Promise<Item | null> {
    const old = (await this.versions(namespace, key)).find((one) => one.version === version);
    if (!old?.value) return null;
    await this.put(namespace, key, old.value);
    return this.#get(namespace, key);
  }

  /** Drops the oldest versions beyond `bytes`; what is in force and the last value of what was deleted stay. */
  prune(bytes = BUDGET): void {
    this.#db.transaction(() => this.#tables.prune(bytes)).immediate();
  }

  #write(change: () => void, isWriting: boolean): void {
    const transaction = this.#db.transaction(change);
    if (!isWriting) transaction();
    else transaction.immediate();
    if (this.#writes < PRUNE_EVERY) return;
    this.#writes = 0;
    this.prune();
  }

  #put(namespace: string[], key: string, value: Record<string, unknown> | null): void {
    if (namespace.length === 0 || namespace.some((label) => typeof label !== 'string' || label === ''))
      throw new TypeError('a namespace needs at least one label, and no empty one');
    this.#writes += 1;
    this.#tables.put(encodeNamespace(namespace), key, rowOf(value), this.#now());
  }

  #get(namespace: string[], key: string): Item | null {
    const row = this.#tables.get(encodeNamespace(namespace), key);
    return row ? itemOf(row) : null;
  }

  #search(operation: {
    namespacePrefix: string[];
    filter?: Record<string, unknown>;
    limit?: number;
    offset?: number;
  }): SearchItem[] {
    const { namespacePrefix, filter, limit = 10, offset = 0 } = operation;
    const ns = encodeNamespace(namespacePrefix);
    if (!filter) return this.#tables.below(namespacePrefix, ns, limit, offset).map(itemOf);
    const found: SearchItem[] = [];
    let skipped = 0;
    for (let at = 0; found.length < limit; at += ROWS_AT_ONCE) {
      const rows = this.#tables.below(namespacePrefix, ns, ROWS_AT_ONCE, at);
      for (const row of rows) {
        const item = itemOf(row);
        if (!matchesFilter(item.value, filter)) continue;
        if (skipped < offset) skipped += 1;
        else if (found.length < limit) found.push(item);
      }
      if (rows.length < ROWS_AT_ONCE) break;
    }
    return found;
  }

  #namespaces(operation: Extract<Operation, { matchConditions?: unknown }>): string[][] {
    return pageOfNamespaces(this.#tables.namespaces().map(decodeNamespace), operation);
  }
}

/** SQLite's order of text. Code units would sort what is beyond U+FFFF before what is just below. */
const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

const writesIn = (operations: Operation[]) => operations.some((operation) => 'value' in operation);

/** Above every key in a folder, below every key after it. */
const past = (folder: string) => `${folder}\u{10FFFF}`;

// Our own column, written by `rowOf`.
const parse = (json: string): Record<string, unknown> => JSON.parse(json);

function itemOf(row: ItemRow): Item {
  return {
    namespace: decodeNamespace(row.ns),
    key: row.key,
    value: parse(row.value),
    createdAt: new Date(row.created),
    updatedAt: new Date(row.updated),
  };
}

function contentOf({ content, encoding }: Record<string, unknown>): string | null {
  if (typeof content === 'string') return encoding === 'base64' ? null : content;
  return Array.isArray(content) && content.every((line) => typeof line === 'string')
    ? content.join('\n')
    : null;
}

function rowOf(value: Record<string, unknown> | null): NewValue {
  const author = value === null ? null : (Author.safeParse(value.written_by).data ?? null);
  const agent = author?.by === 'agent' ? author : null;
  return {
    value: value === null ? null : JSON.stringify(value),
    content: value === null ? null : contentOf(value),
    modifiedAt: typeof value?.modified_at === 'string' ? value.modified_at : '',
    author: author?.by ?? null,
    threadId: agent?.threadId ?? null,
    callId: agent?.callId ?? null,
  };
}

function authorOf(by: string | null, threadId: string | null, callId: string | null): Author | null {
  return Author.safeParse({ by, threadId, callId }).data ?? null;
}

/** An index query that every text with that literal meets; null where the index cannot help. */
function trigramQuery(literal: string): string | null {
  const characters = Array.from(literal);
  if (characters.length < 3 || literal.includes('\0') || /\p{Surrogate}/u.test(literal)) return null;
  const trigrams = characters
    .slice(2)
    .map((last, index) => `${characters[index]}${characters[index + 1]}${last}`);
  const every = Math.max(1, Math.ceil(trigrams.length / MAX_TRIGRAMS));
  const chosen = new Set(trigrams.filter((_, index) => index % every === 0));
  return [...chosen].map((trigram) => `"${trigram.replaceAll('"', '""')}"`).join(' AND ');
}
