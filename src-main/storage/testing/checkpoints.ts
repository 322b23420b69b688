import {
  type Checkpoint,
  type CheckpointMetadata,
  emptyCheckpoint,
  uuid6,
} from '@langchain/langgraph-checkpoint';
import type { Db } from '../../base/sqlite/db';

/** The config of a thread's checkpoint. */
export const at = (threadId: string, ns = '', id?: string) => ({
  configurable: { thread_id: threadId, checkpoint_ns: ns, ...(id ? { checkpoint_id: id } : {}) },
});
export const metadata = (
  changes: Partial<CheckpointMetadata> & Record<string, unknown> = {},
): CheckpointMetadata => ({
  source: 'loop',
  step: 0,
  parents: {},
  ...changes,
});
let clock = 0;
/** Later ones have higher ids. */
export const checkpoint = (values: Record<string, unknown>, version = 1): Checkpoint => {
  clock += 1;
  return {
    ...emptyCheckpoint(),
    id: uuid6(clock),
    channel_values: values,
    channel_versions: Object.fromEntries(Object.keys(values).map((name) => [name, version])),
    versions_seen: { agent: { messages: version } },
  };
};

/** A comparable form of a tuple: message objects in their serialized form. */
export const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value) ?? 'null');
/** Recounts every reference from the rows, and finds pieces that no row references. */
export function recount(db: Db): { wrong: unknown[]; unreachable: unknown[] } {
  const texts = [
    ...db
      .prepare<[], { channels: string }>('SELECT channels FROM checkpoints')
      .all()
      .flatMap((row) => Object.values<string>(JSON.parse(row.channels))),
    ...db
      .prepare<[], { text: string }>('SELECT text FROM checkpoint_writes')
      .all()
      .map((row) => row.text),
    ...db
      .prepare<[], { text: string }>('SELECT text FROM pieces')
      .all()
      .map((row) => row.text),
  ];
  const counted = new Map<number, number>();
  for (const text of texts)
    for (const [, id] of text.matchAll(/\n(\d+)\n/g))
      counted.set(Number(id), (counted.get(Number(id)) ?? 0) + 1);
  const refs = db.prepare<[], { id: number; refs: number }>('SELECT id, refs FROM piece_refs').all();
  return {
    wrong: refs.filter(({ id, refs: kept }) => counted.get(id) !== kept),
    unreachable: db
      .prepare('SELECT id FROM pieces WHERE id NOT IN (SELECT id FROM piece_refs WHERE refs > 0)')
      .all(),
  };
}
