import type { RunnableConfig } from '@langchain/core/runnables';
import type {
  Checkpoint,
  CheckpointPendingWrite,
  CheckpointTuple,
  DeltaChannelHistory,
} from '@langchain/langgraph-checkpoint';
import { after, allOf } from '../all-of';
import type { CheckpointRow, CheckpointTables } from './checkpoint-tables';
import type { KeptValues } from './kept-values';
import type { Packer } from './packer';

/** The values of a thread's state, by channel. */
export type ChannelValues = Record<string, unknown>;

export type Head = Pick<Checkpoint, 'v' | 'ts' | 'channel_versions' | 'versions_seen'>;

/** Turns rows of the database into what LangGraph asks for. */
export class CheckpointReader {
  readonly #tables: CheckpointTables;
  readonly #packer: Packer;
  readonly #values: KeptValues;

  constructor(tables: CheckpointTables, packer: Packer, values: KeptValues) {
    this.#tables = tables;
    this.#packer = packer;
    this.#values = values;
  }

  async tuple(threadId: string | null, row: CheckpointRow): Promise<CheckpointTuple> {
    const at = (id: string): RunnableConfig => ({
      configurable: { thread_id: threadId, checkpoint_ns: row.ns, checkpoint_id: id },
    });
    const pieces = this.#tables.pieces(row.thread);
    // Read all rows before any await: a later put may prune them.
    const metadata = this.#packer.parse(row.metadata);
    const pendingWrites = this.#writes(row, null);
    const kept = row.ns === '' ? this.#values.of(row.thread, row.id) : undefined;
    const values = Object.entries(channelsOf(row)).map(([name, held]) => {
      const again = kept && this.#packer.again(kept[name], row.thread);
      const value = again ? again.value : this.#packer.load(held, row.thread, pieces);
      return after(value, (loaded) => [name, loaded] as const);
    });
    const channel_values: ChannelValues = Object.fromEntries(await allOf(values));
    return {
      config: at(row.id),
      checkpoint: { id: row.id, ...headOf(row), channel_values },
      metadata: await metadata,
      pendingWrites: await pendingWrites,
      ...(row.parentId === null ? {} : { parentConfig: at(row.parentId) }),
    };
  }

  /** See `SqliteSaver.around`. */
  async around(
    threadId: string,
    at: number,
  ): Promise<{ before: ChannelValues | null; after: ChannelValues | null }> {
    const thread = this.#tables.findThread(threadId);
    if (thread === null) return { before: null, after: null };
    const rows = this.#tables.list({ threadId, ns: '', id: null, before: null });
    const rowOf = (index: number) => this.#tables.find(thread, '', rows[index]?.id ?? '');
    // Newest first: find the first one that is not later than the time.
    let [low, high] = [0, rows.length];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const row = rowOf(middle);
      if (row && Date.parse(headOf(row).ts) <= at) high = middle;
      else low = middle + 1;
    }
    const valuesOf = async (row: CheckpointRow | undefined) =>
      row === undefined ? null : (await this.tuple(threadId, row)).checkpoint.channel_values;
    const [before, after] = [rowOf(low), rowOf(low - 1)];
    return { before: await valuesOf(before), after: await valuesOf(after) };
  }

  /** What was written to these channels before a checkpoint, back to their last stored values. */
  async deltaHistory(
    start: CheckpointRow | undefined,
    channels: string[],
  ): Promise<Record<string, DeltaChannelHistory>> {
    const newestFirst = new Map(channels.map((name) => [name, [] as CheckpointPendingWrite[]]));
    const seeds = new Map<string, unknown>();
    const parentOf = (row: CheckpointRow) =>
      row.parentId === null ? undefined : this.#tables.find(row.thread, row.ns, row.parentId);
    for (let row = start && parentOf(start); row && seeds.size < channels.length; row = parentOf(row)) {
      const open = channels.filter((name) => !seeds.has(name));
      const block = (await this.#writes(row, new Set(open))).sort((a, b) =>
        a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0,
      );
      for (const write of block.reverse()) newestFirst.get(write[1])?.push(write);
      const values = channelsOf(row);
      for (const name of open) {
        const held = values[name];
        if (held !== undefined)
          seeds.set(name, await this.#packer.load(held, row.thread, this.#tables.pieces(row.thread)));
      }
    }
    return Object.fromEntries(
      channels.map((name) => {
        const writes = (newestFirst.get(name) ?? []).reverse();
        return [name, seeds.has(name) ? { writes, seed: seeds.get(name) } : { writes }];
      }),
    );
  }

  #writes(
    row: CheckpointRow,
    channels: ReadonlySet<string> | null,
  ): CheckpointPendingWrite[] | Promise<CheckpointPendingWrite[]> {
    const pieces = this.#tables.pieces(row.thread);
    const writes = this.#tables
      .writesOf(row.thread, row.ns, row.id)
      .filter((write) => channels === null || channels.has(write.channel));
    return allOf(
      writes.map(({ taskId, channel, text }) =>
        after(
          this.#packer.load(text, row.thread, pieces),
          (value): CheckpointPendingWrite => [taskId, channel, value],
        ),
      ),
    );
  }
}

// Our own rows, which `SqliteSaver` writes from values of these types.
export const headOf = (row: CheckpointRow): Head => JSON.parse(row.head);
export const channelsOf = (row: CheckpointRow): Record<string, string> => JSON.parse(row.channels);
