import { isRecord } from '../base/is-record';
import type { Db } from '../base/sqlite/db';
import { decodeNamespace, encodeNamespace } from '../base/sqlite/store-namespaces';
import { yieldToEventLoop } from '../base/yield-to-event-loop';
import type { ThreadId } from '../contract/ids';
import { foldText } from '../contract/shared/fold-text';
import { jsonField, parsedJson } from './json-columns';

export interface BrowseFilter {
  /** As `foldText` returns them; all of them must be in the key or the text. */
  words: readonly string[];
  by?: 'person' | 'agent' | 'unverified' | undefined;
  threadId?: string | undefined;
  projectId?: string | undefined;
  since?: number | undefined;
}

export interface BrowsedItem {
  namespace: string[];
  key: string;
  created: number;
  updated: number;
  value: Record<string, unknown>;
}

interface Row {
  id: number;
  ns: string;
  key: string;
  current: number;
  updated: number;
}

export interface StoreBrowse {
  /** A page of the items of these namespaces, most recently changed first, and their total number. */
  find(
    namespaces: readonly (readonly string[])[],
    filter: BrowseFilter,
    page: { offset: number; limit: number },
    signal?: AbortSignal,
  ): Promise<{ items: BrowsedItem[]; total: number }>;
  /** The person's choices for a thread, by path. */
  choices(threadId: ThreadId): Record<string, string>;
  choose(threadId: ThreadId, path: string, choice: string | null): void;
  /** The memories that turns were shown, by the message that started each, as stored JSON. */
  uses(threadId: ThreadId): { messageId: string; body: string }[];
  noteUses(threadId: ThreadId, messageId: string, body: string): void;
  /** Copies a thread's choices to a thread made from it, and what these messages' turns were shown. */
  copyChoices(from: ThreadId, to: ThreadId, messageIds: readonly string[]): void;
}

/** Rows read before other work gets a turn: a few milliseconds. */
const ROWS_PER_SLICE = 2_000;
const VALUES_PER_SLICE = 400;
/** Trigrams of a word that narrow a search. The text itself is checked afterwards. */
const MAX_TRIGRAMS = 6;
/** Results that are cached until something is written. */
const KEPT = 4;

function prepareQueries(db: Db) {
  return {
    rows: db.prepare<[Record<string, string | number | null>], Row>(
      `SELECT i.id, i.ns, i.key, i.current, i.updated_at AS updated FROM store_items i CROSS JOIN store_log v ON v.seq = i.current
       WHERE i.ns = @ns AND i.key > @after AND i.live = 1 AND i.updated_at >= @since
         AND (@by IS NULL OR coalesce(v.author, 'agent') = @by)
         AND (@unverified = 0 OR ${jsonField('v.value', '$.written_by.unverified')} = 1)
         AND (@threadId IS NULL OR v.thread_id = @threadId)
         AND (@projectId IS NULL OR v.thread_id IN (SELECT id FROM threads WHERE project_id = @projectId))
       ORDER BY i.key LIMIT ${ROWS_PER_SLICE}`,
    ),
    hits: db.prepare<[string], number>('SELECT rowid FROM store_text WHERE store_text MATCH ?').pluck(),
    unindexed: db
      .prepare<[], number>(
        `SELECT item FROM store_log WHERE seq > (SELECT indexed FROM store_state)
         UNION SELECT id FROM store_items INDEXED BY store_items_large WHERE large = 1`,
      )
      .pluck(),
    values: db.prepare<[string], { seq: number; value: string }>(
      `SELECT v.seq, v.value FROM json_each(?) wanted CROSS JOIN store_log v ON v.seq = wanted.value
       WHERE v.value IS NOT NULL`,
    ),
    created: db.prepare<[number], number>('SELECT created_at FROM store_items WHERE id = ?').pluck(),
    newest: db.prepare<[], number | null>('SELECT max(seq) FROM store_log').pluck(),
  };
}

type Queries = ReturnType<typeof prepareQueries>;

/** The store for browsing: by words in any case, author, place and time. Reads only what a page shows. */
export function openStoreBrowse(db: Db): StoreBrowse {
  return { find: openFind(db), ...openThreadMemory(db) };
}

function openFind(db: Db): StoreBrowse['find'] {
  const queries = prepareQueries(db);
  const kept = new Map<string, { seq: number; rows: Row[] }>();
  return async (namespaces, filter, { offset, limit }, signal) => {
    const all = namespaces.map(encodeNamespace);
    const name = JSON.stringify([all, filter]);
    const seq = queries.newest.get() ?? 0;
    let known = kept.get(name);
    if (known === undefined || known.seq !== seq) {
      const candidates = await findCandidates(queries, all, filter, signal);
      known = { seq, rows: await filterByWords(queries, candidates, filter.words, signal) };
      kept.delete(name);
      kept.set(name, known);
      for (const old of kept.keys()) if (kept.size > KEPT) kept.delete(old);
    }
    const page = known.rows.slice(offset, offset + limit);
    const found = readValues(queries, page);
    const items = page.flatMap(({ id, ns, key, current, updated }): BrowsedItem[] => {
      const value = found.get(current);
      return value === undefined
        ? []
        : [
            {
              namespace: decodeNamespace(ns),
              key,
              created: queries.created.get(id) ?? updated,
              updated,
              value,
            },
          ];
    });
    return { items, total: known.rows.length };
  };
}

/** Reads the values of these rows, by `current`, except damaged ones. */
function readValues(queries: Queries, found: readonly Row[]): Map<number, Record<string, unknown>> {
  return new Map(
    queries.values
      .all(JSON.stringify(found.map(({ current }) => current)))
      .flatMap(({ seq, value: text }) => {
        const value = parsedJson(text);
        return isRecord(value) ? [[seq, value] as const] : [];
      }),
  );
}

/** All rows that match the filter except for its words, most recently changed first. */
async function findCandidates(
  queries: Queries,
  namespaces: readonly string[],
  filter: BrowseFilter,
  signal?: AbortSignal,
): Promise<Row[]> {
  const { by, threadId = null, projectId = null, since = 0 } = filter;
  const isUnverified = by === 'unverified';
  const where = {
    since,
    threadId,
    projectId,
    by: by === undefined ? null : isUnverified ? 'agent' : by,
    unverified: isUnverified ? 1 : 0,
  };
  const all: Row[] = [];
  for (const ns of namespaces) {
    for (let after = ''; ; ) {
      const page = queries.rows.all({ ...where, ns, after });
      all.push(...page);
      const last = page.at(-1);
      if (last === undefined || page.length < ROWS_PER_SLICE) break;
      after = last.key;
      await yieldToEventLoop();
      signal?.throwIfAborted();
    }
  }
  return all.sort((a, b) => b.updated - a.updated || (a.key < b.key ? -1 : 1));
}

/** The rows whose key or text contains all words. */
async function filterByWords(
  queries: Queries,
  all: Row[],
  words: readonly string[],
  signal?: AbortSignal,
): Promise<Row[]> {
  if (words.length === 0) return all;
  const narrowed = words.map((word) => {
    const query = anyCaseQuery(word);
    return { word, ids: query === null ? null : new Set(queries.hits.all(query)) };
  });
  const open = new Set(queries.unindexed.all());
  const mayHold = (row: Row) => {
    const key = foldText(row.key);
    return narrowed.every(
      ({ word, ids }) => ids === null || ids.has(row.id) || open.has(row.id) || key.includes(word),
    );
  };
  const likely = all.filter(mayHold);
  const found: Row[] = [];
  for (let at = 0; at < likely.length; at += VALUES_PER_SLICE) {
    const page = likely.slice(at, at + VALUES_PER_SLICE);
    const texts = readValues(queries, page);
    for (const row of page) {
      const text = foldText(`${row.key}\n${textOf(texts.get(row.current))}`);
      if (words.every((word) => text.includes(word))) found.push(row);
    }
    await yieldToEventLoop();
    signal?.throwIfAborted();
  }
  return found;
}

function prepareThreadMemory(db: Db) {
  return {
    choices: db.prepare<[string], { path: string; choice: string }>(
      'SELECT path, choice FROM memory_choices WHERE thread_id = ? ORDER BY path',
    ),
    choose: db.prepare(
      `INSERT INTO memory_choices (thread_id, path, choice) VALUES (?, ?, ?)
       ON CONFLICT (thread_id, path) DO UPDATE SET choice = excluded.choice`,
    ),
    unchoose: db.prepare('DELETE FROM memory_choices WHERE thread_id = ? AND path = ?'),
    uses: db.prepare<[string], { messageId: string; body: string }>(
      'SELECT message_id AS messageId, body FROM memory_uses WHERE thread_id = ?',
    ),
    noteUses: db.prepare(
      `INSERT INTO memory_uses (thread_id, message_id, body) VALUES (?, ?, ?)
       ON CONFLICT (thread_id, message_id) DO UPDATE SET body = excluded.body`,
    ),
    copyChoices: db.prepare<[string, string]>(
      'INSERT OR IGNORE INTO memory_choices (thread_id, path, choice) SELECT ?, path, choice FROM memory_choices WHERE thread_id = ?',
    ),
    copyUses: db.prepare<[string, string, string]>(
      `INSERT OR IGNORE INTO memory_uses (thread_id, message_id, body) SELECT ?, message_id, body FROM memory_uses
       WHERE thread_id = ? AND message_id IN (SELECT value FROM json_each(?))`,
    ),
  };
}

/** The person's choices for each thread, and what its turns were shown. */
function openThreadMemory(db: Db): Omit<StoreBrowse, 'find'> {
  const statements = prepareThreadMemory(db);
  return {
    choices: (threadId) =>
      Object.fromEntries(statements.choices.all(threadId).map(({ path, choice }) => [path, choice])),
    choose: (threadId, path, choice) => {
      if (choice === null) statements.unchoose.run(threadId, path);
      else statements.choose.run(threadId, path, choice);
    },
    uses: (threadId) => statements.uses.all(threadId),
    noteUses: (threadId, messageId, body) => {
      statements.noteUses.run(threadId, messageId, body);
    },
    copyChoices: (from, to, messageIds) => {
      statements.copyChoices.run(to, from);
      statements.copyUses.run(to, from, JSON.stringify(messageIds));
    },
  };
}

function textOf(value: Record<string, unknown> | undefined): string {
  const content = value?.content;
  if (typeof content === 'string') return value?.encoding === 'base64' ? '' : content;
  return Array.isArray(content) ? content.join('\n') : '';
}

/** Letters whose forms `casesOf` lists. The rare `İ` of two characters is not among them. */
const KNOWN_FORMS = /^[a-zа-зк-я]$/u;
const MORE_FORMS: Readonly<Record<string, readonly string[]>> = { i: ['İ', 'ı'], k: ['\u212a'] };

/** Whether texts with this folded character have it in one of the forms that `casesOf` lists. */
const isPlain = (one: string): boolean =>
  KNOWN_FORMS.test(one) || (one === one.toUpperCase() && one === one.normalize('NFD'));

/** An index query that matches every text with that folded word; null if the index cannot help. */
function anyCaseQuery(word: string): string | null {
  const characters = Array.from(word);
  if (characters.length < 3 || /[\0\p{Surrogate}]/u.test(word)) return null;
  // A word with other letters is found by its plain parts; without any, the text is read instead.
  const trigrams = characters
    .slice(2)
    .map((_, at) => characters.slice(at, at + 3))
    .filter((three) => three.every(isPlain));
  if (trigrams.length === 0) return null;
  const every = Math.max(1, Math.ceil(trigrams.length / MAX_TRIGRAMS));
  const chosen = trigrams.filter((_, index) => index % every === 0);
  return chosen.map((three) => `(${casesOf(three).map(quoted).join(' OR ')})`).join(' AND ');
}

const quoted = (trigram: string): string => `"${trigram.replaceAll('"', '""')}"`;

function casesOf(characters: readonly string[]): string[] {
  return characters.reduce<string[]>(
    (made, one) => {
      const forms = new Set([one, one.toUpperCase(), ...(MORE_FORMS[one] ?? [])]);
      return made.flatMap((start) => [...forms].map((form) => start + form));
    },
    [''],
  );
}
