import type { RunnableConfig } from '@langchain/core/runnables';
import {
  BaseCheckpointSaver,
  type ChannelVersions,
  type Checkpoint,
  type CheckpointListOptions,
  type CheckpointMetadata,
  type CheckpointTuple,
  type DeltaChannelHistory,
  emptyCheckpoint,
  getCheckpointId,
  type PendingWrite,
  WRITES_IDX_MAP,
} from '@langchain/langgraph-checkpoint';
import { amount, checkOptions, func } from '../../../../base/check-options';
import type { Db } from '../../../../base/sqlite/db';
import { allOf } from '../all-of';
import { CheckpointCommits } from './checkpoint-commits';
import { INPUT, place, reachOf, text } from './checkpoint-place';
import { type ChannelValues, CheckpointReader, channelsOf, type Head, headOf } from './checkpoint-reader';
import { type CheckpointTables, openCheckpointTables } from './checkpoint-tables';
import { copyOf, KeptValues } from './kept-values';
import { type Latest, LatestCheckpoints } from './latest-checkpoints';
import type { Packed, Taken } from './packed-plan';
import { Packer } from './packer';
import { PieceGone } from './pieces';
import { RunBeginnings } from './run-beginnings';

/** Options of `SqliteSaver`. */
export interface SaverOptions {
  /** Checkpoints to keep per thread and namespace, besides those that delta channels still need. Default 25. */
  keep?: number;
  /** Called after each transaction. */
  wrote?: () => void;
  /**
   * Begins a transaction that can wait, and returns undefined. A promise: another program is writing to the database, so
   * the transaction begins by itself once the promise resolves.
   */
  begin?: () => Promise<void> | undefined;
}

/**
 * Enough to resume (the latest one is), to look back a little, and to debug. The start of each turn is kept too, for forks.
 */
const KEEP = 25;

/**
 * LangGraph's checkpointer on SQLite. A step costs only what changed: values are stored in pieces (`pieces.ts`), values
 * unchanged since the parent are not even checked, and known objects are not serialized again (`packer.ts`).
 *
 * It keeps at least the latest `keep` checkpoints of each namespace with their pending writes, older ones that a delta
 * channel needs, and the start of each turn. A sub-graph's run (a namespace with a task id) is removed with the thread's
 * checkpoint that it ran in. `put` and `putWrites` survive a crash of the process once they resolve. Concurrent writes share
 * one transaction. Only a run's input resolves before it is written, because the caller has saved it elsewhere and the model
 * need not wait. Its write errors are thrown by the thread's next put.
 */
export class SqliteSaver extends BaseCheckpointSaver {
  readonly #tables: CheckpointTables;
  readonly #packer: Packer;
  readonly #reader: CheckpointReader;
  readonly #commits: CheckpointCommits;
  /** Ids of checkpoints that are not committed yet. */
  readonly #uncommitted = new Set<string | null>();
  /** Writes that are not committed yet, by their checkpoint. */
  readonly #waiting = new Map<string, { isTakenUp: boolean }>();
  readonly #latest = new LatestCheckpoints();
  readonly #values = new KeptValues();
  readonly #beginnings = new RunBeginnings(() => this.#commits.flush());

  /** Creates its tables if they are missing. The caller closes the database. */
  constructor(db: Db, options: SaverOptions = {}) {
    super();
    checkOptions('SqliteSaver', options, { keep: amount, wrote: func, begin: func });
    this.#tables = openCheckpointTables(db, options.keep ?? KEEP);
    this.#packer = new Packer(this.serde);
    this.#reader = new CheckpointReader(this.#tables, this.#packer, this.#values);
    this.#commits = new CheckpointCommits(db, {
      begin: options.begin,
      onEnded: () => {
        this.#packer.transactionEnded();
        this.#waiting.clear();
        options.wrote?.();
      },
    });
  }

  /**
   * The checkpoint with the id in `config.configurable`, or the latest of its thread and namespace if there is no id, with its
   * pending writes. Undefined if there is none.
   */
  override async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    const { threadId, ns } = place(config);
    this.#commits.flush();
    const thread = this.#tables.findThread(threadId);
    if (thread === null) return undefined;
    const id = getCheckpointId(config);
    const row = this.#row(thread, ns, id);
    if (!row) return undefined;
    const tuple = await this.#reader.tuple(threadId, row);
    if (id !== '') return { ...tuple, config };
    // A thread is read before it runs.
    if (ns === '') this.#values.keep(thread, row.id, copyOf(tuple.checkpoint.channel_values));
    return tuple;
  }

  /**
   * Checkpoints, the last saved first. `thread_id`, `checkpoint_ns` and `checkpoint_id` in `config.configurable` each narrow the
   * list if they are set. `filter` compares fields of the metadata with `===`, so objects never match.
   */
  override async *list(
    config: RunnableConfig,
    options: CheckpointListOptions = {},
  ): AsyncGenerator<CheckpointTuple> {
    const { filter, before } = options;
    const wanted = config.configurable ?? {};
    const beforeId = before ? getCheckpointId(before) : '';
    let left = options.limit ?? Number.POSITIVE_INFINITY;
    this.#commits.flush();
    const rows = this.#tables.list({
      threadId: text(wanted.thread_id),
      ns: text(wanted.checkpoint_ns),
      id: text(wanted.checkpoint_id) || null,
      before: beforeId || null,
    });
    for (const { threadId, ...key } of rows) {
      if (left <= 0) return;
      const row = this.#tables.find(key.thread, key.ns, key.id);
      if (!row) continue;
      const metadata: Record<string, unknown> = await this.#packer.parse(row.metadata);
      if (filter && !Object.entries(filter).every(([name, value]) => metadata[name] === value)) continue;
      left -= 1;
      yield await this.#reader.tuple(threadId, row);
    }
  }

  /**
   * Saves a checkpoint and returns its config. A channel that is not in `newVersions` keeps the parent's value, if its version
   * is the parent's. Rejects without a `thread_id`. Resolves once the checkpoint is committed, or before that for the input of
   * a run and for its first step.
   */
  override async put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions: ChannelVersions,
  ): Promise<RunnableConfig> {
    const { threadId, ns } = place(config);
    if (threadId === null) throw new Error('a checkpoint needs a thread_id in config.configurable');
    const parentId = text(config.configurable?.checkpoint_id) || null;
    const { id } = checkpoint;
    const begins = this.#beginnings.takes({ threadId, ns, id, parentId, source: metadata.source });
    // Do not await unless needed: the value may change once this function yields.
    const started = this.#beginnings.written(threadId);
    if (started !== undefined) await started;
    const write = async (versions: ChannelVersions | null) =>
      (await this.#put(threadId, ns, parentId, checkpoint, metadata, versions)).committed;
    // Another process pruned a cached piece: write everything.
    const writeAllIfPruned = (error: unknown) => {
      if (!(error instanceof PieceGone)) throw error;
      return write(null);
    };
    if (begins) {
      const { committed } = await this.#put(threadId, ns, parentId, checkpoint, metadata, newVersions, true);
      this.#beginnings.write(threadId, committed.catch(writeAllIfPruned));
    } else await write(newVersions).catch(writeAllIfPruned);
    return { configurable: { thread_id: threadId, checkpoint_ns: ns, checkpoint_id: id } };
  }

  override async putWrites(config: RunnableConfig, writes: PendingWrite[], taskId: string): Promise<void> {
    const { threadId, ns } = place(config);
    const checkpointId = text(config.configurable?.checkpoint_id);
    if (threadId === null || !checkpointId)
      throw new Error('writes need a thread_id and a checkpoint_id in config.configurable');
    const started = this.#beginnings.written(threadId);
    if (started !== undefined) await started;
    try {
      await this.#putWrites(threadId, ns, checkpointId, writes, taskId, true);
    } catch (error) {
      if (!(error instanceof PieceGone)) throw error;
      await this.#putWrites(threadId, ns, checkpointId, writes, taskId, false);
    }
  }

  /** Whether tasks of the thread's last step wrote something that no checkpoint includes yet. */
  hasPendingWrites(threadId: string): boolean {
    this.#commits.flush();
    const thread = this.#tables.findThread(threadId);
    const row = thread === null ? undefined : this.#tables.latest(thread, '');
    return row !== undefined && this.#tables.writesOf(row.thread, '', row.id).length > 0;
  }

  /**
   * A thread's channels as last saved up to a time (milliseconds since 1970), and as saved next after it. Null if no
   * checkpoint from then is left.
   */
  async around(
    threadId: string,
    at: number,
  ): Promise<{
    /** The state at that time. Null if only later checkpoints are left. */
    before: ChannelValues | null;
    /** Null if nothing was saved since. */
    after: ChannelValues | null;
  }> {
    this.#commits.flush();
    return this.#reader.around(threadId, at);
  }

  /** Same result as the base class, which would read every value of every ancestor. */
  override async getDeltaChannelHistory(options: {
    config: RunnableConfig;
    channels: string[];
  }): Promise<Record<string, DeltaChannelHistory>> {
    const { threadId, ns } = place(options.config);
    this.#commits.flush();
    const thread = this.#tables.findThread(threadId);
    const id = getCheckpointId(options.config);
    const start = thread === null ? undefined : this.#row(thread, ns, id);
    return this.#reader.deltaHistory(start, options.channels);
  }

  /** Writes the first checkpoint of a thread, with these channel values and no pending work. */
  async begin(threadId: string, values: ChannelValues): Promise<void> {
    const versions = Object.fromEntries(Object.keys(values).map((name) => [name, 1]));
    await this.put(
      { configurable: { thread_id: threadId, checkpoint_ns: '' } },
      { ...emptyCheckpoint(), channel_values: values, channel_versions: versions },
      { source: 'fork', step: -1, parents: {} },
      versions,
    );
  }

  override async deleteThread(threadId: string): Promise<void> {
    this.#commits.flush();
    this.#latest.clear();
    this.#values.clear();
    this.#packer.forgetLists();
    this.#beginnings.forget(threadId);
    this.#tables.removeThread(threadId);
  }

  /**
   * Resolves once the write has its place in the next transaction. `newVersions` null: writes everything again, without any
   * cached state.
   */
  async #put(
    threadId: string,
    ns: string,
    parentId: string | null,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions: ChannelVersions | null,
    mayWait = false,
  ): Promise<{ committed: Promise<void> }> {
    // Writes of the parent's tasks may wait and commit with this one. The parent itself must already be there.
    if (this.#uncommitted.has(parentId)) this.#commits.flush();
    const known = this.#tables.findThread(threadId);
    const parent =
      parentId === null || newVersions === null || known === null ? null : this.#parent(known, ns, parentId);
    const parentVersions = parent?.versions ?? {};
    const parentChannels = parent?.channels ?? {};
    const { id, v, ts, channel_versions, versions_seen } = checkpoint;
    const head = JSON.stringify({ v, ts, channel_versions, versions_seen } satisfies Head);

    // Checks everything once a turn, and on a full rewrite.
    const isThorough = metadata.source === 'input' || newVersions === null;
    const channels: Record<string, string> = {};
    const taken: { name: string; value: Taken }[] = [];
    for (const [name, value] of Object.entries(checkpoint.channel_values)) {
      const inherited = parentChannels[name];
      const isSame =
        inherited !== undefined &&
        newVersions?.[name] === undefined &&
        parentVersions[name] !== undefined &&
        parentVersions[name] === channel_versions[name];
      // In the checkpoint's order; filled in below.
      channels[name] = isSame ? inherited : '';
      if (isSame) continue;
      const remembers = newVersions === null ? null : known;
      taken.push({
        name,
        value: this.#packer.take(value, remembers, { channel: name, isState: name === INPUT, isThorough }),
      });
    }
    const values = ns === '' ? copyOf(checkpoint.channel_values) : null;
    this.#uncommitted.add(id);
    const metadataText = this.#packer.dump(metadata);
    const pending = allOf(taken.map(({ value }) => allOf(value.texts)));
    const texts = pending instanceof Promise ? await pending : pending;
    const metadataJson = typeof metadataText === 'string' ? metadataText : await metadataText;
    const reach = reachOf(metadata);
    const waiting = this.#waiting.get(`${threadId} ${ns} ${parentId}`);
    if (waiting && reach === 0) waiting.isTakenUp = true;

    const committed = this.#commits
      .add(() => {
        const thread = this.#threadFor(threadId, known);
        const pieces = this.#tables.pieces(thread);
        const seen: Packed['seen'] = [];
        for (const [index, { name, value }] of taken.entries()) {
          const packed = this.#packer.pack(value, texts[index] ?? [], pieces);
          channels[name] = packed.text;
          seen.push(...packed.seen);
        }
        const row = {
          thread,
          ns,
          id,
          parentId,
          rootId: ns === '' ? null : (metadata.parents?.[''] ?? null),
          reach,
          head,
          channels: JSON.stringify(channels),
          metadata: metadataJson,
        };
        this.#tables.insert(row, Object.values(channels), pieces);
        this.#tables.prune(thread, ns, pieces);
        pieces.settle();
        return { thread, seen };
      }, mayWait)
      .then(({ thread, seen }) => {
        this.#packer.remember(thread, seen);
        this.#latest.keep(thread, ns, { id, versions: { ...channel_versions }, channels });
        if (values !== null) this.#values.keep(thread, id, values);
      })
      .finally(() => this.#uncommitted.delete(id));
    return { committed };
  }

  async #putWrites(
    threadId: string,
    ns: string,
    checkpointId: string,
    writes: PendingWrite[],
    taskId: string,
    mayRemember: boolean,
  ): Promise<void> {
    const known = this.#tables.findThread(threadId);
    // A call gets the whole state, which matches the previous checkpoint.
    const taken = writes.map(([channel, value]) =>
      this.#packer.take(value, mayRemember ? known : null, { channel, isThorough: !mayRemember }),
    );
    const pending = allOf(taken.map((value) => allOf(value.texts)));
    const texts = pending instanceof Promise ? await pending : pending;
    const waiting = this.#wait(`${threadId} ${ns} ${checkpointId}`);
    const idxOf = (channel: string, index: number) => WRITES_IDX_MAP[channel] ?? index;
    const areResults = writes.every(([channel], index) => idxOf(channel, index) >= 0);
    const { thread, seen } = await this.#commits.add((isJoint) => {
      // The checkpoint in the same transaction already includes the results.
      const isTakenUp = isJoint && waiting.isTakenUp;
      if (isTakenUp && areResults && known !== null) return { thread: known, seen: [] };
      const thread = this.#threadFor(threadId, known);
      const pieces = this.#tables.pieces(thread);
      const seen: Packed['seen'] = [];
      for (const [index, value] of taken.entries()) {
        const channel = writes[index]?.[0] ?? '';
        const idx = idxOf(channel, index);
        if (isTakenUp && idx >= 0) continue;
        this.#tables.insertWrite({ thread, ns, checkpointId, taskId, idx, channel }, pieces, () => {
          const packed = this.#packer.pack(value, texts[index] ?? [], pieces);
          seen.push(...packed.seen);
          return packed.text;
        });
      }
      pieces.settle();
      return { thread, seen };
    });
    this.#packer.remember(thread, seen);
  }

  /** The checkpoint with that id; with an empty one, the latest. */
  #row(thread: number, ns: string, id: string) {
    return id === '' ? this.#tables.latest(thread, ns) : this.#tables.find(thread, ns, id);
  }

  /** The entry shared by all writes of that checkpoint that commit next. */
  #wait(place: string): { isTakenUp: boolean } {
    const known = this.#waiting.get(place);
    if (known) return known;
    const waiting = { isTakenUp: false };
    this.#waiting.set(place, waiting);
    return waiting;
  }

  /** Runs inside the transaction. If the thread is gone, its values must be taken again. */
  #threadFor(threadId: string, known: number | null): number {
    if (known === null) return this.#tables.threadKey(threadId);
    if (!this.#tables.isThread(threadId, known)) throw new PieceGone(`thread ${threadId} is gone`);
    return known;
  }

  /** A deleted parent has lost its pieces. Building on it throws PieceGone. */
  #parent(thread: number, ns: string, id: string): Latest | null {
    const latest = this.#latest.of(thread, ns, id);
    if (latest) return latest;
    const row = this.#tables.find(thread, ns, id);
    return row ? { id, versions: headOf(row).channel_versions, channels: channelsOf(row) } : null;
  }
}
