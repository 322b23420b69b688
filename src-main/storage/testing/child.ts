// The crash tests run this in a separate process. It writes in an endless loop and prints each write after it was confirmed
// as saved. The test kills it at some point and checks the file.

import { statSync } from 'node:fs';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { AIMessage } from '@langchain/core/messages';
import { emptyCheckpoint, uuid6 } from '@langchain/langgraph-checkpoint';
import { inEnglish } from '../../../src-renderer/i18n/errors';
import { openStorage, type Storage } from '../index';
import { approval, message, project, terminal, thread } from './values';

const [, , what = '', file = ''] = process.argv;
/** Writes synchronously to the pipe, so that the line arrives even if the process is killed right afterwards. */
const saved = (words: unknown) => process.stdout.write(`${JSON.stringify(words)}\n`);

if (what === 'migrations') saved('opening');
const opened = openStorage(file);
if (!opened.ok) throw new Error(inEnglish(opened.error));
const storage = opened.value;
if (what === 'migrations') {
  saved('opened');
  process.exit(0);
}

const writers: Record<string, (storage: Storage, round: number) => Promise<void>> = {
  approvals: async ({ approvals, transaction, messages, threads }, round) => {
    const asked = approval(`a${round}`);
    transaction(() => {
      messages.save(asked.threadId, message(`m${round}`));
      approvals.insert(asked);
      threads.change(asked.threadId, { seq: round });
    });
    saved(['asked', round]);
    if (round % 2 === 1) return;
    const taken = approvals.take(asked.threadId, asked.id, asked.digest, { type: 'approve' }, round);
    if (taken.ok) saved(['decided', round]);
  },
  // Like a thread: the disk is waited for in another thread.
  messages: async ({ messages, transactionSoon, onDisk }, round) => {
    transactionSoon(() => messages.save(thread().id, message(`m${round}`, 'x'.repeat(round % 5_000))));
    await onDisk();
    saved(round);
  },
  terminals: async ({ terminals }, round) => {
    saved(terminals.append(terminal('x').id, `line ${round}\r\n`));
  },
  // Writes enough for the log worker to start, then waits for it: from 64 MB on SQLite would write the log back within a
  // commit. Prints the size of the database, which grows with each write-back.
  'long terminals': async ({ terminals }, round) => {
    const length = terminals.append(terminal('x').id, `${round} ${'x'.repeat(100_000)}\r\n`);
    while (sizeOf(`${file}-wal`) > LONG_LOG && sizeOf(file) < MOVED) await setTimeout(1);
    saved([length, sizeOf(file)]);
    await setImmediate();
  },
  memories: async ({ store }, round) => {
    await store.put(['m'], '/k', { content: `${round} ${'x'.repeat(round % 20_000)}` });
    saved(round);
  },
  checkpoints: async ({ checkpointer }, round) => {
    const said = new AIMessage({ id: `m${round}`, content: `${round} ${'x'.repeat(3_000)}` });
    spoken.push(said);
    const config = { configurable: { thread_id: 't1', ...(last === '' ? {} : { checkpoint_id: last }) } };
    const id = uuid6(round);
    await checkpointer.put(
      config,
      {
        ...emptyCheckpoint(),
        id,
        channel_values: { messages: [...spoken], round },
        channel_versions: { messages: round, round },
      },
      { source: 'loop', step: round, parents: {} },
      { messages: round, round },
    );
    last = id;
    const at = { configurable: { thread_id: 't1', checkpoint_ns: '', checkpoint_id: id } };
    await checkpointer.putWrites(at, [['messages', [said]]], 'task');
    saved({ id, round });
  },
};
/** Bytes: a log that the worker writes back, and a database that it has written to. */
const LONG_LOG = 24_000_000;
const MOVED = 2_000_000;
const sizeOf = (path: string) => statSync(path).size;
const spoken: AIMessage[] = [];
let last = '';

storage.projects.save(project());
if (storage.threads.get(thread().id) === null) storage.threads.insert(thread());
storage.terminals.save(terminal('x'));
const write = writers[what];
if (!write) throw new Error(`nothing is called ${what}`);
for (let round = 1; ; round += 1) await write(storage, round);
