import childProcess, { type ChildProcess } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

// Records what the app sends during a test, for `scripts/transcripts.mjs`. Does nothing unless DEEPDESK_TRANSCRIPTS names
// the folder for the recordings.

/** What `scripts/testing/transcript.mjs` reads. */
interface Recording {
  file: string;
  title: string;
  /** The folder of the run. */
  temp: string;
  requests: { method: string; path: string; headers: IncomingHttpHeaders; body: unknown }[];
  /** The events of each app of the test, in the order in which they went to its windows. */
  events: unknown[][];
  /** The standard output of each run of the headless command. */
  outputs: string[];
}

/** A log that an app writes. `start`: where the events of this test start. */
interface EventLog {
  path: string;
  start: number;
}

const FOLDER = process.env.DEEPDESK_TRANSCRIPTS;
export const isRecording = FOLDER !== undefined;

/** Milliseconds without a new event after which a test's work is considered complete. */
const QUIET = 500;
/** Milliseconds after which an app that never becomes idle is read anyway. */
const MAX_WAIT = 10_000;
const SECRET = /^(authorization|x-api-key|x-goog-api-key|api-key|cookie)$/;

let current: Recording | undefined;
let hasEvents = false;
/** The logs of this test's apps. */
let logs: EventLog[] = [];
/** The log of the app that a worker's tests share. */
let sharedLog: EventLog | undefined;

const sizeOf = ({ path }: EventLog): number => (existsSync(path) ? statSync(path).size : 0);

export function startRecording(file: string, title: string, temp: string): void {
  current = { file, title, temp, requests: [], events: [], outputs: [] };
  logs = [];
  hasEvents = false;
  watchHeadless();
}

/** Marks the last started app as the one that a worker's tests share. */
export function shareEvents(): void {
  sharedLog = logs.at(-1);
}

/** The test uses the shared app from now on. */
export function useSharedEvents(): void {
  if (sharedLog !== undefined) logs = [{ ...sharedLog, start: sizeOf(sharedLog) }];
}

/** The additional arguments of an app. `makeFolder` creates a folder that the app can write to. */
export function recordedArguments(makeFolder: (name: string) => string): string[] {
  if (!isRecording) return [];
  const folder = makeFolder('events');
  const hook = join(folder, 'record-events.cjs');
  copyFileSync(join(import.meta.dirname, 'record-events.cjs'), hook);
  logs.push({ path: join(folder, 'events.jsonl'), start: 0 });
  return ['-r', hook];
}

export function recordRequest(request: Recording['requests'][number]): void {
  if (current === undefined) return;
  const { method, path, headers, body } = request;
  const shown = Object.entries(headers).map(([name, value]) => [
    name,
    SECRET.test(name) ? '<secret>' : value,
  ]);
  current.requests.push({ method, path, headers: Object.fromEntries(shown), body });
}

/** Saves the events of a test before its apps are closed or reset. */
export async function keepEvents(): Promise<void> {
  if (current === undefined || hasEvents) return;
  await becomeQuiet(current);
  hasEvents = true;
  current.events = logs
    .map(({ path, start }) => (existsSync(path) ? readFileSync(path).subarray(start).toString('utf8') : ''))
    .filter((text) => text !== '')
    .map((text) =>
      text
        .trim()
        .split('\n')
        .map((line): unknown => JSON.parse(line)),
    );
}

/** Writes the recording of a test that passed. */
export async function endRecording(passed: boolean): Promise<void> {
  if (FOLDER === undefined || current === undefined) return;
  await keepEvents();
  const recording = current;
  current = undefined;
  if (!passed) return;
  const name = recording.title.replace(/[^\p{L}\p{N}]+/gu, '-').slice(0, 150);
  const folder = join(FOLDER, recording.file.replace(/\.spec\.ts$/, ''));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(recording, null, 1)}\n`);
}

async function becomeQuiet(recording: Recording): Promise<void> {
  const state = () => [recording.requests.length, ...logs.map(sizeOf)].join();
  const until = Date.now() + MAX_WAIT;
  for (let before = ''; before !== state() && Date.now() < until; await wait(QUIET)) before = state();
}

let isWatching = false;

/** Tests start the headless command themselves, so its output is captured where processes are started. */
function watchHeadless(): void {
  if (isWatching) return;
  isWatching = true;
  const { spawn } = childProcess;
  const watched = (...given: Parameters<typeof spawn>): ChildProcess => {
    const child = spawn(...given);
    const recording = current;
    if (recording && given[1].some((word) => word.endsWith('scripts/agent.mjs'))) {
      const index = recording.outputs.push('') - 1;
      child.stdout?.on('data', (text) => (recording.outputs[index] += String(text)));
    }
    return child;
  };
  Object.assign(childProcess, { spawn: watched });
  syncBuiltinESMExports();
}
