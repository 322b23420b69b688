import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { spawn as spawnPty } from 'node-pty';
import { ProjectId, TerminalId, ThreadId } from '../../src-main/contract/ids';
import { LocalShellBackend } from '../../src-main/harness/backends';
import type { CommandSandbox } from '../../src-main/harness/backends/commands';
import { createSandbox, detectSandbox } from '../../src-main/harness/sandbox';
import { createCommandRunner } from '../../src-main/terminal/command-runner';
import { TerminalSessions } from '../../src-main/terminal/sessions';
import type { Contest, Outcome, Part, Place, Side } from '../contest';
import { LOG_LINE, LOG_MB, logLine } from '../data';
import { ended } from './limits';
import { published } from './peer';

const env = { PATH: process.env.PATH ?? '/usr/bin:/bin' };

interface Shell {
  execute(command: string): Promise<{ output: string; exitCode: number | null }>;
}

interface ShellOptions {
  /** Seconds. */
  timeout?: number;
  maxOutputBytes?: number;
  sandboxOf?: () => CommandSandbox;
}

type Work = (shell: Shell, place: Place) => Promise<Outcome | undefined>;

/** In a terminal, as the app runs it, with no viewer. */
const ours =
  (work: Work, options: ShellOptions = {}): Side =>
  (place) => {
    const sessions = new TerminalSessions({
      now: () => Date.now(),
      newId: () => TerminalId.parse(randomUUID()),
      onChanged: () => undefined,
      onRemoved: () => undefined,
      onData: () => undefined,
    });
    const runner = createCommandRunner(sessions, {
      projectId: ProjectId.parse('p'),
      threadId: ThreadId.parse('t'),
    });
    const shell = new LocalShellBackend({ rootDir: place.own, runner, env, ...options });
    return { run: () => work(shell, place), close: () => sessions.disposeAll() };
  };

/** By pipes, as the library runs it by itself. */
const byPipes =
  (work: Work): Side =>
  async (place) => {
    const shell = await LocalShellBackend.create({ rootDir: place.own, env });
    return { run: () => work(shell, place), close: () => shell.close() };
  };

const confinement = await detectSandbox();

/** Like `ours`, in the system's sandbox: the cost of a command that runs without asking. */
const confined =
  (work: Work): Side =>
  (place) => {
    if (confinement.kind === null) throw new Error(confinement.reason.code);
    const sandbox = createSandbox({
      found: confinement,
      folder: realpathSync(place.own),
      home: homedir(),
      own: [],
      temporary: join(place.own, '..', 'tmp'),
      isSecret: (name) => name === '.env',
      hosts: () => ({ allow: [], deny: [] }),
    });
    return ours(work, { sandboxOf: () => sandbox })(place);
  };

const peer =
  (work: Work, options: ShellOptions = {}): Side =>
  async (place) => {
    const { LocalShellBackend: Published } = await published();
    const shell = new Published({ rootDir: place.own, env, ...options });
    await shell.initialize();
    return { run: () => work(shell, place) };
  };

/** The bare command, with its output discarded. */
const bareSpawn =
  (commandOf: (place: Place) => string, program = '/bin/bash'): Side =>
  (place) => ({
    run: async () => {
      // Without input: bash takes a socket there for a remote login and reads the person's startup file.
      const stdio = ['ignore', 'pipe', 'pipe'] as const;
      const child = spawn(program, ['-c', commandOf(place)], { cwd: place.own, stdio: [...stdio], env });
      child.stdout?.resume();
      child.stderr?.resume();
      await ended(child);
      return undefined;
    },
  });

const barePty =
  (commandOf: (place: Place) => string): Side =>
  (place) => ({
    run: async () => {
      const pty = spawnPty('/bin/bash', ['--norc', '-c', commandOf(place)], {
        cwd: place.own,
        env,
        encoding: null,
      });
      let bytes = 0;
      // With `encoding: null` it emits buffers, whatever its types say.
      pty.onData((data) => {
        bytes += data.length;
      });
      await new Promise<void>((resolve) => pty.onExit(() => resolve()));
      return bytes < 0 ? { answer: '' } : undefined;
    },
  });

const lines = (megabytes: number) => (megabytes * LOG_MB) / LOG_LINE;

/** Whether the first and the last line are there. Notes may follow. */
function endsRight(output: string, megabytes: number): string {
  const head = output.startsWith(logLine(0).trimEnd());
  const tail = output.slice(-2_000).includes(logLine(lines(megabytes) - 1).trimEnd());
  return head && tail ? 'head and tail right' : head ? 'head only' : 'wrong';
}

const print = (megabytes: number) => (place: Place) =>
  `head -c ${megabytes * LOG_MB} '${megabytes > 400 ? place.data.log1000 : place.data.log400}'`;

const printing =
  (megabytes: number): Work =>
  async (shell, place) => ({
    answer: endsRight((await shell.execute(print(megabytes)(place))).output, megabytes),
  });

const STDERR_LINES = 200_000;

const onStderr: Work = async (shell) => {
  const { output } = await shell.execute(`seq ${STDERR_LINES} >&2`);
  const head = /^(?:\[stderr\] )?1\r?\n/.test(output);
  const tail = output.slice(-2_000).includes(String(STDERR_LINES));
  return { answer: head && tail ? 'head and tail right' : head ? 'head only' : 'wrong' };
};

/** Processes whose command line contains this. */
function running(marker: string): number {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(marker);
      } catch (error) {
        // It exited after the list was read.
        if (error instanceof Error && 'code' in error) return false;
        throw error;
      }
    }).length;
}

/** Counts the processes left when the call returns, or after two seconds if it has not. */
const outOfTime: Work = async (shell) => {
  const marker = `7.${String(process.pid).padStart(8, '0')}`;
  const call = shell.execute(`bash -c 'sleep ${marker}; true' & sleep ${marker}; true`);
  const returned = await Promise.race([call.then(() => true), setTimeout(2_000, false)]);
  const left = running(marker);
  const answer = `${left} processes left${returned ? '' : ' at 2 s'}`;
  await call;
  return { answer };
};

/** A program that keeps running holds the streams open after the command has exited. */
const leftBehind: Work = async (shell) => {
  const { output } = await shell.execute('sleep 7 & echo hi');
  if (!output.includes('hi')) throw new Error(output);
  return undefined;
};

const WIDE_BYTES = 3_000_000;

const wide: Work = async (shell, { data }) => {
  let replaced = 0;
  for (let run = 0; run < 5; run += 1) {
    const { output } = await shell.execute(`head -c ${WIDE_BYTES} '${data.wide}'`);
    if (output.length < WIDE_BYTES / 3) throw new Error(`only ${output.length} characters came`);
    replaced += output.split('\uFFFD').length - 1;
  }
  return { value: replaced };
};

const untimed = (
  row: string,
  work: Work,
  rest: Omit<Contest, 'row' | 'unit' | 'ours' | 'peer' | 'runs'>,
): Contest => ({
  row,
  unit: 'ms',
  runs: 1,
  warmUp: 0,
  ours: ours(work),
  peer: peer(work),
  ...rest,
});

const RIGHT = 'head and tail right';

const doingNothing: Work = async (backend) => {
  const { exitCode, output } = await backend.execute('true');
  if (exitCode !== 0) throw new Error(output);
  return undefined;
};

export const shell: Part = [
  {
    row: 'execute `true`, library by pipes',
    unit: 'ms',
    runs: 50,
    warmUp: 5,
    target: { ratio: 1.3, stall: 16 },
    ours: byPipes(doingNothing),
    limits: { spawn: bareSpawn(() => 'true', '/bin/sh') },
    peer: peer(doingNothing),
  },
  {
    row: 'execute, 100 MB of output, library by pipes',
    unit: 'ms',
    data: ['log400'],
    runs: 5,
    target: { ratio: 1.5, stall: 16, memory: 60, answer: RIGHT },
    ours: byPipes(printing(100)),
    limits: { 'pipe drain': bareSpawn(print(100), '/bin/sh') },
    peer: peer(printing(100)),
  },
  {
    row: 'execute `true`',
    unit: 'ms',
    runs: 25,
    warmUp: 3,
    target: { atMost: 8, stall: 16 },
    ours: ours(doingNothing),
    limits: { spawn: bareSpawn(() => 'true'), pty: barePty(() => 'true') },
    peer: peer(doingNothing),
  },
  ...(confinement.kind === null
    ? []
    : [
        {
          row: 'execute `true` in the sandbox',
          unit: 'ms' as const,
          runs: 25,
          warmUp: 3,
          target: { atMost: 40, stall: 16 },
          ours: confined(doingNothing),
          limits: { spawn: bareSpawn(() => 'true') },
        },
      ]),
  {
    row: 'execute, 100 MB of output',
    unit: 'ms',
    data: ['log400'],
    runs: 5,
    target: { ratio: 1.2, stall: 16, memory: 60, answer: RIGHT },
    ours: ours(printing(100)),
    // A pty passes no more than its reader drains. A pipe is shown for comparison and cannot be reached.
    limits: { 'pty drain': barePty(print(100)), 'pipe drain': bareSpawn(print(100)) },
    peer: peer(printing(100)),
  },
  untimed('execute, 600 MB of output', printing(600), {
    data: ['log1000'],
    target: { stall: 16, memory: 60, answer: RIGHT },
    limits: { 'pty drain': barePty(print(600)) },
  }),
  untimed('execute, 200,000 lines on stderr', onStderr, { target: { stall: 16, memory: 60, answer: RIGHT } }),
  ...(process.platform === 'linux'
    ? [
        {
          row: 'timeout of 1 s with a grandchild',
          unit: 'ms' as const,
          runs: 3,
          warmUp: 0,
          target: { atMost: 1_300, stall: 16, answer: '0 processes left' },
          ours: ours(outOfTime, { timeout: 1 }),
          peer: peer(outOfTime, { timeout: 1 }),
        },
      ]
    : []),
  {
    row: 'execute `sleep 7 & echo hi`',
    unit: 'ms',
    runs: 3,
    warmUp: 0,
    target: { atMost: 300, stall: 16 },
    ours: ours(leftBehind),
    peer: peer(leftBehind),
  },
  {
    row: 'UTF-8 split over chunks: characters lost in 5 runs',
    unit: 'count',
    data: ['wide'],
    runs: 3,
    warmUp: 0,
    target: { atMost: 0, stall: 16 },
    ours: ours(wide, { maxOutputBytes: 10_000_000 }),
    peer: peer(wide, { maxOutputBytes: 10_000_000 }),
  },
];
