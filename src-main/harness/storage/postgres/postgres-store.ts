import type { Item, Operation, OperationResults, SearchItem } from '@langchain/langgraph-checkpoint';
import { PostgresStore, type PostgresStoreConfig } from '@langchain/langgraph-checkpoint-postgres/store';
import pg from 'pg';
import type { IndexedStore, KeyPage, StoredChild, StoredKey } from '../../backends/store/indexed-store';
import { pageOf, pageOfNamespaces } from '../store-filter';
import { checkNamespace } from '../store-names';
import { decodeLabels, encodeLabels, likeOf, namespacePath } from './postgres-names';

/** No `index`: a changed item's vectors could not be kept in sync with it. */
export type TeamStoreConfig = Omit<PostgresStoreConfig, 'index'>;

interface ItemRow {
  namespace_path: string;
  key: string;
  value: Record<string, unknown>;
  created_at: Date;
  updated_at: Date;
}

type SearchOptions = NonNullable<Parameters<PostgresStore['search']>[1]>;
type NamespaceOptions = Parameters<PostgresStore['listNamespaces']>[0];

/** Any number that all processes share: if two start at the same time, they create the tables one after another. */
const SETUP_LOCK = 4_207_311;
/** Codes of Postgres: insufficient privilege, read-only transaction. */
const MAY_NOT_CREATE = ['42501', '25006'];
const DEFAULT_PAGE = 10_000;
const LIVE = '(expires_at IS NULL OR expires_at > CURRENT_TIMESTAMP)';
/** The text of a file: a string, or the lines of the older format; null for bytes and for non-files. */
const TEXT = `CASE WHEN value ->> 'encoding' = 'base64' THEN NULL
  WHEN jsonb_typeof(value -> 'content') = 'string' THEN value ->> 'content'
  WHEN jsonb_typeof(value -> 'content') = 'array'
  THEN array_to_string(ARRAY(SELECT jsonb_array_elements_text(value -> 'content')), E'\\n') END`;
/** Bytes of a file's content. */
const SIZE = `CASE WHEN value ->> 'encoding' = 'base64' THEN length(rtrim(value ->> 'content', '=')) * 3 / 4
  ELSE coalesce(octet_length(${TEXT}), 0) END`;
const IS_FILE = `jsonb_typeof(value -> 'content') IN ('string', 'array', 'object')`;

/**
 * LangGraph's official Postgres store for teams, on its own tables, plus what sharing needs: atomic changes
 * (`compareAndPut`), listings and searches inside Postgres, and exact namespaces with any labels. It reads and writes data
 * of the official store unchanged. `search` with `query` or `filter` may return fewer than `limit` if namespaces start with
 * the same characters. `stop` closes its connections.
 */
export class PostgresTeamStore extends PostgresStore implements IndexedStore {
  readonly #pool: pg.Pool;
  readonly #at: pg.ClientConfig;
  readonly #table: string;
  readonly #schema: string;
  readonly #ensuresTables: boolean;
  #ready: Promise<void> | null = null;

  /**
   * Connects with the first call, which also creates the tables that are missing. With `ensureTables: false`, only `setup`
   * creates them.
   */
  constructor(config: TeamStoreConfig) {
    super(config);
    const { connectionOptions: at } = config;
    this.#at = typeof at === 'string' ? { connectionString: at } : at;
    this.#pool = poolOf(this);
    // The pool replaces an idle connection that breaks, and a query on one that breaks rejects. Without listeners, the same
    // error would also crash the process.
    this.#pool.on('error', () => undefined);
    this.#pool.on('connect', (client) => client.on('error', () => undefined));
    this.#ensuresTables = config.ensureTables ?? true;
    this.#schema = pg.escapeIdentifier(config.schema ?? 'public');
    this.#table = `${this.#schema}.store`;
  }

  override setup(): Promise<void> {
    this.#ready ??= this.#setUp().catch((error: unknown) => {
      this.#ready = null;
      throw error;
    });
    return this.#ready;
  }

  async #setUp(): Promise<void> {
    // Not from the pool, which may have only one connection.
    const client = new pg.Client(this.#at);
    client.on('error', () => undefined);
    await client.connect();
    try {
      await client.query('SELECT pg_advisory_lock($1)', [SETUP_LOCK]);
      await this.#createTables(client);
    } finally {
      // Also releases the lock.
      await client.end();
    }
  }

  /** Tables that are there are used as they are if the account may create none, or the server takes no changes now. */
  async #createTables(client: pg.Client): Promise<void> {
    try {
      await super.setup();
      // Prefixes and pages are compared by bytes, whatever the database's collation.
      await client.query(
        `CREATE INDEX IF NOT EXISTS idx_store_key_bytes ON ${this.#table} (namespace_path, key COLLATE "C")`,
      );
    } catch (error) {
      if (!(error instanceof pg.DatabaseError) || !MAY_NOT_CREATE.includes(error.code ?? '')) throw error;
      const { rows } = await client.query('SELECT to_regclass($1) IS NOT NULL AS "isThere"', [this.#table]);
      if (rows[0]?.isThere !== true) throw error;
    }
  }

  override async get(namespace: string[], key: string): Promise<Item | null> {
    const found = await super.get(encodeLabels(namespace), key);
    return found === null ? null : { ...found, namespace };
  }

  override async put(
    namespace: string[],
    key: string,
    value: Record<string, unknown>,
    index?: false | string[],
    options?: {
      /** Minutes after which the item expires. Default: that of the store's configuration, if it has one. */
      ttl?: number;
    },
  ): Promise<void> {
    checkNamespace(namespace);
    await super.put(encodeLabels(namespace), key, value, index, options);
  }

  override async delete(namespace: string[], key: string): Promise<void> {
    await super.delete(encodeLabels(namespace), key);
  }

  override async search(prefix: string[], options: SearchOptions = {}): Promise<SearchItem[]> {
    if (options.query !== undefined || options.filter !== undefined) {
      const found = await super.search(encodeLabels(prefix), { ...options, ...pageOf(options) });
      return found
        .map((item) => ({ ...item, namespace: decodeLabels(item.namespace) }))
        .filter((item) => prefix.every((label, index) => item.namespace[index] === label));
    }
    const path = namespacePath(prefix);
    const { limit, offset } = pageOf(options);
    const rows = await this.#rows<ItemRow>(
      `SELECT namespace_path, key, value, created_at, updated_at FROM ${this.#table}
       WHERE ($1 = '' OR namespace_path = $1 OR starts_with(namespace_path, $1 || ':')) AND ${LIVE}
       ORDER BY created_at DESC, namespace_path, key COLLATE "C" LIMIT $2 OFFSET $3`,
      [path, limit, offset],
    );
    return rows.map(itemOf);
  }

  override async listNamespaces(options: NamespaceOptions = {}): Promise<string[][]> {
    const { prefix, suffix, limit = 100, ...rest } = options;
    return this.#namespaces({
      ...rest,
      limit,
      matchConditions: [
        ...(prefix === undefined ? [] : [{ matchType: 'prefix' as const, path: prefix }]),
        ...(suffix === undefined ? [] : [{ matchType: 'suffix' as const, path: suffix }]),
      ],
    });
  }

  /** Runs the operations in order. Deletes in one namespace are a single statement: all or none. */
  override async batch<Op extends Operation[]>(operations: Op): Promise<OperationResults<Op>> {
    const results = (await this.#deleteAll(operations)) ?? (await this.#each(operations));
    return results as OperationResults<Op>;
  }

  async #each(operations: Operation[]): Promise<unknown[]> {
    const results: unknown[] = [];
    for (const operation of operations) {
      if ('namespacePrefix' in operation) {
        const { namespacePrefix, ...options } = operation;
        results.push(await this.search(namespacePrefix, options));
      } else if ('value' in operation) {
        const { namespace, key, value, index } = operation;
        if (value === null) await this.delete(namespace, key);
        else await this.put(namespace, key, value, index);
        results.push(undefined);
      } else if ('key' in operation) results.push(await this.get(operation.namespace, operation.key));
      else results.push(await this.#namespaces(operation));
    }
    return results;
  }

  async #deleteAll(operations: Operation[]): Promise<undefined[] | null> {
    const [first] = operations;
    if (first === undefined || !('value' in first)) return null;
    const path = namespacePath(first.namespace);
    const keys = operations.flatMap((one) =>
      'value' in one && one.value === null && namespacePath(one.namespace) === path ? [one.key] : [],
    );
    if (keys.length < operations.length) return null;
    await this.#rows(`DELETE FROM ${this.#table} WHERE namespace_path = $1 AND key = ANY($2)`, [path, keys]);
    return operations.map(() => undefined);
  }

  async compareAndPut(
    namespace: string[],
    key: string,
    expected: Record<string, unknown> | null,
    value: Record<string, unknown> | null,
  ): Promise<boolean> {
    const at = [namespacePath(namespace), key];
    const next = JSON.stringify(value);
    const was = JSON.stringify(expected);
    const where = `namespace_path = $1 AND key = $2 AND ${LIVE}`;
    // Postgres checks the condition again after waiting for a concurrent change to the row.
    const changed =
      expected === null
        ? value === null
          ? await this.#rows(`SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM ${this.#table} WHERE ${where})`, at)
          : await this.#rows(
              `INSERT INTO ${this.#table} AS old (namespace_path, key, value) VALUES ($1, $2, $3)
               ON CONFLICT (namespace_path, key) DO UPDATE SET value = $3, expires_at = NULL
               WHERE old.expires_at <= CURRENT_TIMESTAMP RETURNING 1`,
              [...at, next],
            )
        : value === null
          ? await this.#rows(`DELETE FROM ${this.#table} WHERE ${where} AND value = $3::jsonb RETURNING 1`, [
              ...at,
              was,
            ])
          : await this.#rows(
              `UPDATE ${this.#table} SET value = $4 WHERE ${where} AND value = $3::jsonb RETURNING 1`,
              [...at, was, next],
            );
    return changed.length > 0;
  }

  async listKeys(namespace: string[], prefix: string, page: KeyPage = {}): Promise<StoredKey[]> {
    return this.#rows<StoredKey>(
      `SELECT key, ${SIZE} AS size, coalesce(value ->> 'modified_at', '') AS modified_at FROM ${this.#table}
       WHERE namespace_path = $1 AND key COLLATE "C" >= $2 AND key COLLATE "C" > $3 AND key LIKE $4
       AND ${IS_FILE} AND ${LIVE} ORDER BY key COLLATE "C" LIMIT $5`,
      [
        namespacePath(namespace),
        prefix,
        page.after ?? '',
        likeOf(prefix, page.pieces),
        page.limit ?? DEFAULT_PAGE,
      ],
    );
  }

  async listChildren(namespace: string[], directory: string, page: KeyPage = {}): Promise<StoredChild[]> {
    const slash = `strpos(substr(key, length($2) + 1), '/')`;
    return this.#rows<StoredChild>(
      `SELECT child AS key, bool_or(deep) AS "isDirectory", max(modified_at) AS modified_at,
       sum(CASE WHEN deep THEN 0 ELSE size END)::int AS size
       FROM (SELECT left(key, CASE ${slash} WHEN 0 THEN length(key) ELSE length($2) + ${slash} END) AS child,
         ${slash} > 0 AS deep, CASE ${slash} WHEN 0 THEN ${SIZE} END AS size,
         coalesce(value ->> 'modified_at', '') AS modified_at
         FROM ${this.#table} WHERE namespace_path = $1 AND key COLLATE "C" >= $2 AND key COLLATE "C" > $3
         AND starts_with(key, $2) AND ${IS_FILE} AND ${LIVE}) AS below
       WHERE child COLLATE "C" > $3 GROUP BY child ORDER BY child COLLATE "C" LIMIT $4`,
      [namespacePath(namespace), directory, page.after ?? '', page.limit ?? DEFAULT_PAGE],
    );
  }

  async searchText(
    namespace: string[],
    literal: string,
    limit: number,
    options: { prefix?: string; after?: string } = {},
  ): Promise<{ key: string; value: Record<string, unknown> }[]> {
    const { prefix = '', after = '' } = options;
    return this.#rows<{ key: string; value: Record<string, unknown> }>(
      `SELECT key, value FROM ${this.#table}
       WHERE namespace_path = $1 AND key COLLATE "C" >= $2 AND key COLLATE "C" > $3 AND starts_with(key, $2)
       AND ${LIVE} AND strpos(${TEXT}, $4) > 0 ORDER BY key COLLATE "C" LIMIT $5`,
      [namespacePath(namespace), prefix, after, literal, limit],
    );
  }

  async #namespaces(operation: Parameters<typeof pageOfNamespaces>[1]): Promise<string[][]> {
    const rows = await this.#rows<{ namespace_path: string }>(
      `SELECT DISTINCT namespace_path COLLATE "C" AS namespace_path FROM ${this.#table} WHERE ${LIVE} ORDER BY 1`,
    );
    return pageOfNamespaces(
      rows.map((row) => decodeLabels(row.namespace_path.split(':'))),
      operation,
    );
  }

  async #rows<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    if (this.#ensuresTables) await this.setup();
    return (await this.#pool.query<Row>(text, values)).rows;
  }
}

/** The official store's private pool. */
function poolOf(store: PostgresStore): pg.Pool {
  const core: unknown = Reflect.get(store, 'core');
  if (typeof core === 'object' && core !== null && 'pool' in core && core.pool instanceof pg.Pool)
    return core.pool;
  throw new Error('this version of the official Postgres store keeps its connections elsewhere');
}

const itemOf = (row: ItemRow): Item => ({
  namespace: decodeLabels(row.namespace_path.split(':')),
  key: row.key,
  value: row.value,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});
