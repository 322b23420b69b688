import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { ScriptedStep } from '../src-main/agent/testing/scripted-model';
import { openStorage, type Storage } from '../src-main/storage';
import { openDatabase } from '../src-main/storage/open';
import { config, ours, plain, type Script, say, scripted } from './agents';
import { median } from './row';
import { textOf } from './text';
import { watched } from './timing';

export const STEPS = 200;
/** UTF-16 units, all ASCII, so bytes too. */
export const FILE_SIZE = 20 * 1024;

export interface Steps {
  /** Milliseconds in all, between the steps at the start (the first few left out), and at the end. */
  all: number;
  first: number;
  last: number;
  /** Milliseconds of the longest event-loop delay. */
  stall: number;
}

export function storageIn(folder: string): { storage: Storage; file: string } {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'deepdesk.sqlite');
  const opened = openStorage(file);
  if (!opened.ok) throw new Error(opened.error.message);
  return { storage: opened.value, file };
}

/** Made before anything is timed. */
const texts = Array.from({ length: STEPS }, (_, index) => textOf(index, FILE_SIZE));

const writes = (request: number): ScriptedStep => ({
  calls: [
    {
      name: 'write_file',
      args: { file_path: `/scratch/file-${request}.txt`, content: texts[request] ?? '' },
    },
  ],
});
const runs = (request: number): ScriptedStep => ({
  calls: [{ name: 'execute', args: { command: `print ${request}` } }],
});

/** Steps of one turn, timed from one request to the model to the next. */
async function timed(
  step: (request: number) => ScriptedStep,
  run: (script: Script) => Promise<unknown>,
): Promise<Steps> {
  const marks: number[] = [];
  const { took, stall } = await watched(() =>
    run((_messages, request) => {
      marks.push(performance.now());
      return request < STEPS ? step(request) : { text: 'Done.' };
    }),
  );
  const durations = marks.slice(1).map((mark, index) => mark - (marks[index] ?? mark));
  return {
    all: took,
    first: median(durations.slice(5, 25)),
    last: median(durations.slice(-20)),
    stall,
  };
}

/** 200 steps of our agent, saved. `stored` is what the data file grew by, `written` all that went to the disk (bytes). */
export async function ourSteps(
  folder: string,
  kind: 'files' | 'results',
): Promise<Steps & { stored: number; written: number | null; resume: number }> {
  const empty = storageIn(folder);
  empty.storage.close();
  const before = statSync(empty.file).size;

  const { storage, file } = storageIn(folder);
  const writtenBefore = bytesWritten();
  const steps = await timed(kind === 'files' ? writes : runs, async (script) => {
    const execute = (command: string) => ({
      output: texts[Number(command.replace('print ', ''))] ?? '',
      exitCode: 0,
      truncated: false,
    });
    const agent = ours({ storage, threadId: 't', model: scripted(script), execute });
    await agent.invoke({ messages: [say('Go.')] }, config('t'));
  });
  storage.close();
  const writtenAfter = bytesWritten();
  const stored = statSync(file).size - before;

  const again = storageIn(folder).storage;
  const from = performance.now();
  const agent = ours({ storage: again, threadId: 't', model: scripted(() => ({ text: 'Done.' })) });
  const state = await agent.graph.getState(config('t'));
  const resume = performance.now() - from;
  again.close();
  const { messages = [] } = state.values as { messages?: unknown[] };
  if (messages.length !== 2 * STEPS + 2)
    throw new Error(`the thread came back with ${messages.length} messages`);
  const written = writtenBefore === null || writtenAfter === null ? null : writtenAfter - writtenBefore;
  return { ...steps, stored, written, resume };
}

/** The same files by LangChain's agent alone, kept in memory and saved nowhere. */
export async function plainSteps(): Promise<Steps> {
  return timed(writes, (script) => plain(scripted(script)).invoke({ messages: [say('Go.')] }));
}

/** The limit: the same texts as rows of one table, each in a durable transaction of its own. */
export function bareRows(folder: string): { stored: number; all: number } {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'rows.sqlite');
  const opened = openDatabase(file);
  if (!opened.ok) throw new Error(opened.error.message);
  const { db } = opened.value;
  db.exec('CREATE TABLE bench_rows (id INTEGER PRIMARY KEY, text TEXT NOT NULL)');
  db.pragma('wal_checkpoint(TRUNCATE)');
  const before = statSync(file).size;
  const insert = db.prepare<[string]>('INSERT INTO bench_rows (text) VALUES (?)');
  const from = performance.now();
  for (const text of texts) insert.run(text);
  const all = performance.now() - from;
  db.close();
  return { stored: statSync(file).size - before, all };
}

/** What this process has sent to the disk (bytes); null where the system does not count it. */
function bytesWritten(): number | null {
  if (process.platform !== 'linux') return null;
  const found = /^write_bytes: (\d+)$/m.exec(readFileSync('/proc/self/io', 'utf8'));
  return found === null ? null : Number(found[1]);
}
