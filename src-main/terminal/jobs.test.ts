import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { TerminalInfo } from '../contract/app';
import { ProjectId, TerminalId, ThreadId } from '../contract/ids';
import type { CommandRunner, JobControl, RunOptions } from '../harness/backends/commands';
import { createCommandRunner } from './command-runner';
import { TerminalSessions } from './sessions';
import { alive, memoryStore, uniqueSleep } from './testing/processes';

let folder: string;
let sessions: TerminalSessions;
let runner: CommandRunner;

const kept = memoryStore();
const createSessions = () =>
  new TerminalSessions({
    now: () => 1_000,
    newId: () => TerminalId.parse(randomUUID()),
    onChanged: () => undefined,
    onRemoved: () => undefined,
    onData: () => undefined,
    store: kept.store,
  });
const createRunner = (from: TerminalSessions, thread = 't', hasPerson = () => true) =>
  createCommandRunner(from, {
    projectId: ProjectId.parse('p'),
    threadId: ThreadId.parse(thread),
    hasPerson,
    jobStarted: () => jobStarted,
  });
let jobStarted: Promise<unknown>;

beforeEach(() => {
  kept.infos.clear();
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'jobs-')));
  sessions = createSessions();
  runner = createRunner(sessions);
});
afterEach(async () => {
  await sessions.disposeAll();
  rmSync(folder, { recursive: true, force: true });
});

/** Characters. */
const LONGEST_MATCH = 100;

/** `until`: the job counts as started when it has printed this, or only when it has exited. Default: immediately. */
function start(
  command: string,
  { until, ...options }: Partial<RunOptions> & { until?: RegExp | 'ended' } = {},
) {
  if (!runner.start) throw new Error('No jobs here.');
  let hasPrinted = () => {};
  jobStarted =
    until === undefined ? Promise.resolve() : new Promise((resolve) => (hasPrinted = () => resolve(null)));
  let latest = '';
  const onOutput = (text: string) => {
    latest = latest.slice(-LONGEST_MATCH) + text;
    if (until instanceof RegExp && until.test(latest)) hasPrinted();
  };
  const env = { PATH: process.env.PATH ?? '/usr/bin:/bin' };
  return runner.start(command, {
    cwd: folder,
    env,
    timeoutMs: Number.POSITIVE_INFINITY,
    maxOutputBytes: 10_000,
    onOutput,
    ...options,
  });
}

function jobs(from = runner): JobControl {
  if (!from.jobs) throw new Error('No jobs here.');
  return from.jobs;
}

const states = async () => (await jobs().list()).map(({ status, exitCode }) => ({ status, exitCode }));
const until = (check: () => unknown) => vi.waitFor(check, { timeout: 25_000, interval: 5 });

describe('a job', () => {
  it('continues after the call, and returns what it has printed so far', async () => {
    const outcome = await start('echo ready; sleep 60', { until: /ready/ });
    expect(outcome).toMatchObject({ output: 'ready\n', exitCode: null, timedOut: false, truncated: false });
    expect(await jobs().list()).toEqual([
      {
        id: outcome.jobId,
        command: 'echo ready; sleep 60',
        cwd: folder,
        status: 'running',
        exitCode: null,
        startedAt: 1_000,
        endedAt: null,
      },
    ]);
    const [terminal] = sessions.list();
    expect(terminal).toMatchObject({ kind: 'agent', background: true, status: 'running' });
  });

  it('does not become a job if it fails immediately', async () => {
    const outcome = await start('echo no such port >&2; exit 3', { until: 'ended' });
    expect(outcome).toMatchObject({ output: 'no such port\n', exitCode: 3 });
    expect(outcome.jobId).toBe(undefined);
    expect(await states()).toEqual([{ status: 'exited', exitCode: 3 }]);
  });

  it("accepts the user's input and keeps waiting for it", async () => {
    runner = createRunner(sessions, 't', () => false);
    const { jobId = '' } = await start('read x; echo "got $x"; exit 5');
    const [terminal] = sessions.list();
    if (terminal) sessions.input(terminal.id, 'Ada\r');
    await until(async () => expect(await states()).toEqual([{ status: 'exited', exitCode: 5 }]));
    expect((await jobs().output(jobId)).text).toBe('Ada\ngot Ada\n');
  });

  it('is stopped together with all its processes', async () => {
    const sleep = uniqueSleep();
    const { jobId = '' } = await start(`setsid sleep ${sleep} & (trap '' TERM; sleep ${sleep}) & wait`);
    await until(() => expect(alive(sleep).length).toBeGreaterThanOrEqual(2));
    const stopped = await jobs().stop(jobId);
    expect(stopped.job).toMatchObject({ id: jobId, status: 'stopped', exitCode: null });
    expect(alive(sleep)).toEqual([]);
    // Stopping it again is not an error.
    expect((await jobs().stop(jobId)).job).toMatchObject({ status: 'stopped' });
  });

  it('stops at its time limit', async () => {
    const sleep = uniqueSleep();
    await start(`sleep ${sleep}`, { timeoutMs: 600 });
    await until(async () => expect(await states()).toEqual([{ status: 'timed_out', exitCode: null }]));
    expect(alive(sleep)).toEqual([]);
  });

  it('is canceled with its call until the call returns, and not afterwards', async () => {
    const sleep = uniqueSleep();
    const early = new AbortController();
    const cancelled = start(`sleep ${sleep}`, { signal: early.signal });
    early.abort(new Error('stopped by test'));
    await expect(cancelled).rejects.toThrow('stopped by test');
    expect(alive(sleep)).toEqual([]);
    const late = new AbortController();
    await start(`sleep ${sleep}`, { signal: late.signal });
    late.abort(new Error('too late'));
    await until(() => expect(alive(sleep)).toHaveLength(1));
  });

  it('stops with its thread and with the app, within 3 seconds', async () => {
    const [first, second] = [uniqueSleep(), uniqueSleep()];
    await start(`sleep ${first}`);
    runner = createRunner(sessions, 'other');
    await start(`trap '' TERM HUP; while :; do sleep ${second}; done`);
    await until(() => expect([alive(first).length, alive(second).length]).toEqual([1, 1]));
    await sessions.endOf(ThreadId.parse('t'));
    expect(alive(first)).toEqual([]);
    await until(() => expect(alive(second)).toHaveLength(1));
    const began = performance.now();
    await sessions.disposeAll();
    expect(alive(second)).toEqual([]);
    expect(performance.now() - began).toBeLessThan(3_000);
  });

  it('is visible only to its thread', async () => {
    const { jobId = '' } = await start('sleep 60');
    const other = jobs(createRunner(sessions, 'other'));
    expect(await other.list()).toEqual([]);
    expect(await other.stop(jobId)).toEqual({
      error: `Error: there is no job '${jobId}'. No jobs were started.`,
      kind: 'not_found',
    });
    expect(await states()).toEqual([{ status: 'running', exitCode: null }]);
  });
});

describe('the output of a job', () => {
  it('returns its end first, then new output page by page', async () => {
    const { jobId = '' } = await start(
      'seq 1 5000; while [ ! -e go ]; do sleep 0.01; done; seq 5001 9000; sleep 60',
      { until: /\n5000\s/ },
    );
    const tail = await jobs().output(jobId);
    expect(tail.text).toMatch(/^\d+\n[\d\n]+\n5000\n$/);
    await runner.run('touch go', { cwd: folder, env: {}, timeoutMs: 5_000, maxOutputBytes: 100 });
    await until(async () => expect((await jobs().output(jobId)).text).toMatch(/\n9000\n$/));
    let offset = tail.nextOffset ?? 0;
    let since = '';
    for (;;) {
      const page = await jobs().output(jobId, { offset, limit: 7_000 });
      since += page.text ?? '';
      offset = page.nextOffset ?? 0;
      if (offset >= (page.end ?? 0)) break;
    }
    expect(since).toBe(Array.from({ length: 4_000 }, (_, i) => `${i + 5_001}\n`).join(''));
    expect((await jobs().output(jobId, { offset })).text).toBe('');
    expect((await jobs().output(jobId, { offset: 1e9 })).text).toBe('');
  });

  it('is written completely to its file as it arrives', async () => {
    const file = join(folder, 'out', 'job.log');
    const outcome = await start("printf '\\033[31mred\\033[0m\\n'; seq 1 300000; echo end; sleep 60", {
      wholeOutput: { file, path: '/command_output/job.log' },
      until: /\n5000\s/,
    });
    expect(outcome).toMatchObject({ outputFile: '/command_output/job.log', truncated: true });
    const whole = ['red', ...Array.from({ length: 300_000 }, (_, i) => i + 1), 'end', ''].join('\n');
    await until(() => expect(statSync(file, { throwIfNoEntry: false })?.size).toBe(whole.length));
    expect(readFileSync(file, 'utf8') === whole).toBe(true);
  });

  it('is complete in its file after the app has quit', async () => {
    const file = join(folder, 'job.log');
    await start("trap 'echo bye; exit' TERM; echo hi; while :; do sleep 0.05; done", {
      wholeOutput: { file, path: '/command_output/job.log' },
      until: /hi/,
    });
    await sessions.disposeAll();
    expect(readFileSync(file, 'utf8')).toMatch(/^hi\n(?:.*\n)?bye\n$/);
  });

  it('reports when its start is no longer available', async () => {
    const { jobId = '' } = await start('seq 1 500000; sleep 60', { until: /\n500000\s/ });
    await until(async () => expect((await jobs().output(jobId)).text).toMatch(/\n500000\n$/));
    const page = await jobs().output(jobId, { offset: 0, limit: 100 });
    expect(page.offset).toBeGreaterThan(1_000_000);
    expect(page.text).toMatch(/^\d+\n/);
  });
});

describe('after a restart', () => {
  it('lists a job as finished, or as lost if it ran when the app closed', async () => {
    const { jobId: ran = '' } = await start('echo one; sleep 60', { until: /one/ });
    await start('echo two; exit 4', { until: 'ended' });
    // As if the app had been killed: the exit was not saved.
    const asKilled = new Map<TerminalId, TerminalInfo>(kept.infos);
    await sessions.disposeAll();
    for (const [id, info] of asKilled) kept.infos.set(id, info);
    const again = createSessions();
    const found = jobs(createRunner(again));
    expect((await found.list()).map(({ status, exitCode }) => ({ status, exitCode }))).toEqual([
      { status: 'lost', exitCode: null },
      { status: 'exited', exitCode: 4 },
    ]);
    expect((await found.output(ran)).text).toBe('one\n');
    expect((await found.stop(ran)).job).toMatchObject({ status: 'lost' });
    await again.disposeAll();
  });

  it('lists a job as lost, not as stopped, after the app quit normally', async () => {
    await start('sleep 60');
    await sessions.disposeAll();
    const again = createSessions();
    expect((await jobs(createRunner(again)).list()).map(({ status }) => status)).toEqual(['lost']);
    await again.disposeAll();
  });
});
