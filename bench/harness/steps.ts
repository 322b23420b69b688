import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { MemorySaver } from '@langchain/langgraph';
import type { ScriptedStep } from '../../src-main/harness/agent/testing/scripted-model';
import { openDatabase } from '../../src-main/storage/database/open';
import { inEnglish } from '../../src-renderer/i18n/errors';
import type { Contest, Outcome, Part, Runner, Side } from '../contest';
import { median } from '../row';
import { textOf } from '../text';
import { config, ours, peer, plain, type Script, say, scripted } from './agents';
import { storageIn } from './place';

const STEPS = 200;
/** UTF-16 units, all ASCII, so bytes too. */
const FILE_SIZE = 20 * 1024;
const MB = 1_000_000;
const MAX_MB = (1.2 * STEPS * FILE_SIZE + STEPS * 2 * 1024) / MB;

type Kind = 'files' | 'results';

const texts = () => Array.from({ length: STEPS }, (_, index) => textOf(index, FILE_SIZE));

/** The calls of a step; `run` is the tool that returns a text. */
const step = (kind: Kind, request: number, all: readonly string[], run: string): ScriptedStep => ({
  calls: [
    kind === 'files'
      ? {
          name: 'write_file',
          args: { file_path: `/scratch/file-${request}.txt`, content: all[request] ?? '' },
        }
      : { name: run, args: { command: `print ${request}` } },
  ],
});

/** Records when each request reaches the model, and reports from those times. */
function timed(next: (request: number) => ScriptedStep) {
  const marks: number[] = [];
  const script: Script = (_messages, request) => {
    marks.push(performance.now());
    return request < STEPS ? next(request) : { text: 'Done.' };
  };
  const times = (): Record<string, number> => {
    const durations = marks.slice(1).map((mark, index) => mark - (marks[index] ?? mark));
    // Leaves out the first few, which run code for the first time.
    const first = median(durations.slice(5, 25));
    const last = median(durations.slice(-20));
    return { last, growth: last / first, all: (marks.at(-1) ?? 0) - (marks[0] ?? 0) };
  };
  return { script, times };
}

/** What this process has written to the disk (MB); null if the system does not count it. */
function written(): number | null {
  if (process.platform !== 'linux') return null;
  const found = /^write_bytes: (\d+)$/m.exec(readFileSync('/proc/self/io', 'utf8'));
  return found === null ? null : Number(found[1]) / MB;
}

const textFor = (command: string, all: readonly string[]) => all[Number(command.replace('print ', ''))] ?? '';

/** A new database for each run; its size is measured after it is closed. */
const ourSteps =
  (kind: Kind): Side =>
  ({ own }): Runner => {
    const all = texts();
    let run = 0;
    let after: () => Outcome = () => ({});
    return {
      run: async () => {
        run += 1;
        const { storage, file } = storageIn(join(own, `run-${run}`));
        const empty = statSync(file).size;
        const before = written();
        const { script, times } = timed((request) => step(kind, request, all, 'execute'));
        const agent = ours({
          storage,
          threadId: 't',
          model: scripted(script),
          execute: (command) => ({ output: textFor(command, all), exitCode: 0, truncated: false }),
        });
        await agent.run({ messages: [say('Go.')] }, config('t'));
        after = () => {
          storage.close();
          const now = written();
          return {
            value: (statSync(file).size - empty) / MB,
            more: { ...times(), ...(before === null || now === null ? {} : { written: now - before }) },
          };
        };
        return undefined;
      },
      after: () => after(),
    };
  };

/** Bytes of everything serialized below a value. */
function bytesIn(value: unknown): number {
  if (value instanceof Uint8Array) return value.byteLength;
  if (typeof value !== 'object' || value === null) return 0;
  let bytes = 0;
  for (const part of Object.values(value)) bytes += bytesIn(part);
  return bytes;
}

/** Counts what it passes to a checkpointer: the same bytes that one on a disk would write. */
const peerSteps =
  (kind: Kind): Side =>
  (): Runner => {
    const all = texts();
    let after: () => Outcome = () => ({});
    return {
      run: async () => {
        const saver = new MemorySaver();
        const { script, times } = timed((request) => step(kind, request, all, 'run'));
        const agent = await peer(scripted(script), saver, (command) => textFor(command, all));
        const limits = { ...config('t'), recursionLimit: 10_000 };
        await agent.invoke({ messages: [say('Go.')] }, limits);
        after = () => ({ value: bytesIn([saver.storage, saver.writes]) / MB, more: times() });
        return undefined;
      },
      after: () => after(),
    };
  };

/** The limit: the same texts as rows of one table, each in a separate durable transaction. */
const rows: Side = ({ own }): Runner => {
  const all = texts();
  let run = 0;
  return {
    run: () => {
      run += 1;
      mkdirSync(join(own, `run-${run}`));
      const file = join(own, `run-${run}`, 'rows.sqlite');
      const opened = openDatabase(file);
      if (!opened.ok) throw new Error(inEnglish(opened.error));
      const { db } = opened.value;
      db.exec('CREATE TABLE bench_rows (id INTEGER PRIMARY KEY, text TEXT NOT NULL)');
      db.pragma('wal_checkpoint(TRUNCATE)');
      const before = statSync(file).size;
      const insert = db.prepare<[string]>('INSERT INTO bench_rows (text) VALUES (?)');
      const from = performance.now();
      for (const text of all) insert.run(text);
      const took = performance.now() - from;
      db.close();
      return { value: (statSync(file).size - before) / MB, more: { all: took } };
    },
  };
};

/** LangChain's agent alone, which keeps everything in memory and saves nothing. */
const alone: Side = (): Runner => {
  const all = texts();
  return {
    run: async () => {
      const { script, times } = timed((request) => step('files', request, all, ''));
      await plain(scripted(script)).invoke({ messages: [say('Go.')] });
      return { value: 0, more: times() };
    },
  };
};

const many = (kind: Kind, what: string): Contest => ({
  row: `${STEPS} steps, ${what}: stored`,
  unit: 'MB',
  runs: 3,
  target: { atMost: MAX_MB, stall: 16 },
  ours: ourSteps(kind),
  limits: { rows, 'createAgent, unsaved': alone },
  peer: peerSteps(kind),
  more: {
    ...(process.platform === 'linux'
      ? { written: { row: '  written to the disk', unit: 'MB' as const, target: {} } }
      : {}),
    growth: { row: '  a step at the end to one at the start', unit: 'x', target: { atMost: 1.2 } },
    last: { row: '  a step at the end', unit: 'ms', target: {} },
    all: { row: '  in all', unit: 'ms', target: {} },
  },
});

const resume: Contest = {
  row: '  resume of that thread',
  unit: 'ms',
  runs: 7,
  target: { atMost: 40 },
  ours: async (place): Promise<Runner> => {
    const made = await ourSteps('files')(place);
    await made.run();
    await made.after?.();
    return {
      run: async () => {
        const { storage } = storageIn(join(place.own, 'run-1'));
        const agent = ours({ storage, threadId: 't', model: scripted(() => ({ text: 'Done.' })) });
        const state = await agent.graph.getState(config('t'));
        storage.close();
        const { messages = [] } = state.values as { messages?: unknown[] };
        return { answer: `${messages.length} messages` };
      },
    };
  },
  peer: async (): Promise<Runner> => {
    const all = texts();
    const saver = new MemorySaver();
    const script: Script = (_messages, request) =>
      request < STEPS ? step('files', request, all, 'run') : { text: 'Done.' };
    const limits = { ...config('t'), recursionLimit: 10_000 };
    await (await peer(scripted(script), saver)).invoke({ messages: [say('Go.')] }, limits);
    return {
      run: async () => {
        const agent = await peer(scripted(script), saver);
        const state = await agent.graph.getState(config('t'));
        const { messages = [] } = state.values as { messages?: unknown[] };
        return { answer: `${messages.length} messages` };
      },
    };
  },
  peerNote: 'from memory',
};

export const steps: Part = [
  many('files', 'each writes a 20 KB file'),
  resume,
  many('results', 'each with a 20 KB result'),
];
