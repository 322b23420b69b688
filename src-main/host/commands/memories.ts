import { randomUUID } from 'node:crypto';
import type { MemoryFilter } from '../../contract/commands/memories';
import type { CallId, ThreadId } from '../../contract/ids';
import { fail, ok, type Result } from '../../contract/result';
import type { Handlers } from '../../contract/rpc';
import { Author } from '../../harness/storage/sqlite/store';
import type { Storage } from '../../storage';
import { keyOf, type Memories, textOf } from '../memories/memories';
import type { MemoryFile } from '../memories/memory-folder';
import { MemoryHistory } from '../memories/memory-history';
import { MemoryUses } from '../memories/memory-uses';
import { MEMORIES, MEMORY_NAMESPACE } from '../project/mounts';
import type { Turns } from '../turns/turns';
import type { Connection } from '../window/connection';
import type { ShellServices } from '../window/desktop-services';
import type { Hub } from '../window/hub';

/** With it comes the reader of YAML, which a start does without. */
const readFolders = () => import('../memories/memory-folder');

interface Parts {
  storage: Storage;
  hub: Hub;
  turns: Turns;
  memories: Memories;
  shell: ShellServices;
}

type MemoryCommand = Exclude<
  Extract<keyof Handlers<Connection>, `memories.${string}`>,
  `memories.${'list' | 'read' | 'write' | 'delete' | 'restore' | 'undo'}`
>;

interface Prepared {
  /** What is there now of each, as it was when the person saw the preview; null: nothing. */
  wanted: { memory: MemoryFile; before: string | null }[];
}

/** Items of the store read together. */
const PAGE = 500;
/** Previews that are kept; the oldest goes. */
const PREVIEWS = 4;

/** What the window asks of memories beside reading and writing them. */
export function memoryHandlers({
  storage,
  hub,
  turns,
  memories,
  shell,
}: Parts): Pick<Handlers<Connection>, MemoryCommand> {
  const history = new MemoryHistory(storage, hub);
  const uses = new MemoryUses(storage);
  const prepared = new Map<string, Prepared>();

  const all = async (): Promise<MemoryFile[]> => {
    const found: MemoryFile[] = [];
    for (let offset = 0; ; offset += PAGE) {
      const { items } = await storage.browse.find(MEMORY_NAMESPACE, { words: [] }, { offset, limit: PAGE });
      for (const { key, value, created, updated } of items) {
        found.push({
          key,
          text: textOf({ value }),
          // When it was written, which an import leaves as it was; the store's own times say when it came here.
          created: dateOf(value.created_at) ?? new Date(created).toISOString(),
          modified: dateOf(value.modified_at) ?? new Date(updated).toISOString(),
          author: Author.safeParse(value.written_by).data ?? null,
        });
      }
      if (items.length < PAGE) return found;
    }
  };

  const origin = (threadId: ThreadId, callId: CallId | null) => {
    const live = turns.thread(threadId);
    if (!live.ok) return live;
    const { thread, messages } = live.value.state;
    const message = messages.find(
      (one) => one.role === 'agent' && one.calls.some((call) => call.callId === callId),
    );
    return ok({ title: thread.title, messageId: message?.id ?? null });
  };

  return {
    'memories.find': ({ filter, offset, limit }, _connection, signal) =>
      cancellable(signal, () => memories.find(filter as MemoryFilter, { offset, limit }, signal)),
    'memories.versions': ({ path }) => history.versions(path),
    'memories.compare': ({ path, from, to }) => history.compare(path, from, to),
    'memories.restoreVersion': ({ path, version }) => history.restore(path, version),
    'memories.confirm': ({ path, expectedUpdatedAt }) => history.confirm(path, expectedUpdatedAt),
    'memories.origin': ({ threadId, callId }) => origin(threadId, callId),
    'memories.used': ({ threadId }) => ok({ turns: uses.turns(threadId), choices: uses.choices(threadId) }),
    'memories.choose': ({ threadId, path, choice }) => {
      const live = turns.thread(threadId);
      if (!live.ok) return live;
      storage.browse.choose(threadId, path, choice);
      return ok({ choices: uses.choices(threadId) });
    },
    'memories.export': async () => {
      const parent = await shell.chooseFolder();
      if (parent === null) return ok({ folder: null, count: 0 });
      const files = await all();
      const { writeMemories } = await readFolders();
      const folder = await onDisk(() => writeMemories(parent, files));
      return folder.ok ? ok({ folder: folder.value, count: files.length }) : folder;
    },
    'memories.previewImport': async () => {
      const folder = await shell.chooseFolder();
      if (folder === null) return ok({ importId: null, entries: [] });
      const { previewOf, readMemories } = await readFolders();
      const read = await onDisk(() => readMemories(folder));
      if (!read.ok) return read;
      const now = new Map((await all()).map(({ key, text }) => [key, text]));
      const entries = previewOf(read.value, now);
      const importId = randomUUID();
      const wanted = entries.flatMap(({ state, memory }) =>
        memory !== undefined && (state === 'new' || state === 'changed')
          ? [{ memory, before: now.get(memory.key) ?? null }]
          : [],
      );
      prepared.set(importId, { wanted });
      for (const old of prepared.keys()) if (prepared.size > PREVIEWS) prepared.delete(old);
      return ok({ importId, entries: entries.map(({ memory: _memory, ...entry }) => entry) });
    },
    'memories.import': async ({ importId }) => {
      const known = prepared.get(importId);
      if (known === undefined) return fail('not_found', 'Choose the folder again.');
      prepared.delete(importId);
      return bringIn(storage, hub, known);
    },
    'memories.dropImport': ({ importId }) => {
      prepared.delete(importId);
      return ok({});
    },
  };
}

const dateOf = (value: unknown): string | null =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? value : null;

/** All of them or, where something changed since it was shown, none. */
async function bringIn(storage: Storage, hub: Hub, { wanted }: Prepared): Promise<Result<{ count: number }>> {
  const items = await Promise.all(
    wanted.map(({ memory }) => storage.store.get(MEMORY_NAMESPACE, memory.key)),
  );
  const isStale = wanted.some(({ before }, at) => {
    const item = items[at];
    return (item ? textOf(item) : null) !== before;
  });
  if (isStale)
    return fail('stale', 'Memories were changed since you saw what is new. Choose the folder again.');
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
    return fail('storage', `The folder could not be used: ${error.message}`);
  }
}

async function cancellable<T>(signal: AbortSignal, work: () => Promise<T>): Promise<Result<T>> {
  try {
    return ok(await work());
  } catch (error) {
    if (signal.aborted) return fail('cancelled', 'Cancelled.');
    throw error;
  }
}
