// The parent of a contest: starts a process for each side and runs them in turn.

import { type ChildProcess, fork } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { optional } from '../src-main/contract/shared/optional';
import type { Contest } from './contest';
import type { ContestGroup } from './contests';
import { type DataName, dataPath } from './data';
import { type GroupOptions, median, type Row } from './row';
import type { FromSide, SideOrder, ToSide } from './side';
import { withFolder } from './temporary';

/** Maximum milliseconds for one run. */
const LIMIT = 120_000;
/** The same for the package, which would take minutes in some cases. */
const PEER_LIMIT = { full: 60_000, quick: 15_000 };
/** The package gets no further run once its runs took this long in total (milliseconds). */
const PEER_ENOUGH = 5_000;
/** How much more often a steady row runs: beside ten busy programs, hardly one of nine runs has a processor to itself. */
const STEADY_RUNS = 5;

interface Measured {
  took: number[];
  stalls: number[];
  memory: number;
  answer?: string;
  more: Map<string, number[]>;
  /** What happened instead of a result. */
  failed?: string;
}

/** One side in its process. After a failure it is gone and no longer answers. */
class SideProcess {
  readonly measured: Measured = { took: [], stalls: [], memory: 0, more: new Map() };
  private readonly child: ChildProcess;
  private words = '';
  private settle: ((message: FromSide | null) => void) | null = null;

  constructor(
    order: SideOrder,
    private readonly limit: number,
    env: NodeJS.ProcessEnv,
  ) {
    const [, main = ''] = process.argv;
    this.child = fork(main, ['--side', JSON.stringify(order)], {
      env,
      execArgv: ['--expose-gc'],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    // Interrupted: it must not keep writing to the folder that is removed next.
    const kill = () => void this.child.kill('SIGKILL');
    process.prependOnceListener('exit', kill);
    this.child.once('close', () => process.off('exit', kill));
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.words = (this.words + text).slice(-20_000);
    });
    this.child.on('message', (message) => this.settle?.(message as FromSide));
    this.child.on('close', () => this.settle?.(null));
  }

  get isAlive(): boolean {
    return this.measured.failed === undefined;
  }

  /** Opens what the side needs. */
  async start(): Promise<void> {
    await this.ask(null);
  }

  async round(timed: boolean): Promise<void> {
    if (!this.isAlive) return;
    const from = performance.now();
    const message = await this.ask({ round: true });
    if (message?.kind !== 'done') return;
    this.measured.memory = Math.max(this.measured.memory, message.memory);
    if (message.answer !== undefined) this.measured.answer = message.answer;
    // Work that takes seconds does not need a warm-up.
    if (!timed && performance.now() - from < PEER_ENOUGH) return;
    this.measured.took.push(message.took);
    this.measured.stalls.push(message.stall);
    for (const [key, value] of Object.entries(message.more))
      this.measured.more.set(key, [...(this.measured.more.get(key) ?? []), value]);
  }

  async end(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const gone = new Promise<void>((resolve) => this.child.once('close', () => resolve()));
      const timer = setTimeout(() => this.child.kill('SIGKILL'), 10_000);
      if (this.child.connected) this.child.send({ round: false } satisfies ToSide);
      await gone;
      clearTimeout(timer);
    }
  }

  private async ask(order: ToSide | null): Promise<FromSide | null> {
    let timer: NodeJS.Timeout | undefined;
    const message = await new Promise<FromSide | null | 'late'>((resolve) => {
      this.settle = resolve;
      timer = setTimeout(() => resolve('late'), this.limit);
      if (order !== null) this.child.send(order);
    });
    clearTimeout(timer);
    this.settle = null;
    if (message === 'late') {
      this.measured.failed = `> ${this.limit / 1000} s`;
      this.child.kill('SIGKILL');
      return null;
    }
    if (message === null) this.measured.failed = `ends its process: ${lastError(this.words)}`;
    else if (message.kind === 'failed') this.measured.failed = `fails: ${message.message}`;
    return this.isAlive ? message : null;
  }
}

/** The error in the output of a dying process, without its stack. */
function lastError(words: string): string {
  const found = /^(?:\w*Error.*|FATAL ERROR.*)$/m.exec(words)?.[0];
  return (found ?? (words.trim().split('\n').at(-1) || 'no word')).slice(0, 120);
}

export interface Entry {
  group: ContestGroup;
  part: string;
  contest: Contest;
  data: Partial<Record<DataName, string>>;
}

/** Runs one contest. If ours or a limit fails, or their answers differ, the row says so. */
export async function measure({ group, part, contest, data }: Entry, options: GroupOptions): Promise<Row[]> {
  return withFolder(async (folder) => {
    const peerLimit = options.quick ? PEER_LIMIT.quick : PEER_LIMIT.full;
    const start = (side: string) => {
      const own = join(folder, side.replace(/\W+/g, '-'));
      mkdirSync(own);
      const limit = side === 'peer' ? peerLimit : LIMIT;
      return new SideProcess({ group, part, row: contest.row, side, data, own }, limit, process.env);
    };
    const limits = Object.keys(contest.limits ?? {}).map((name) => ({
      name,
      process: start(`limit ${name}`),
    }));
    const ours = start('ours');
    const peer = contest.peer && options.peer ? start('peer') : null;
    const all = [ours, ...limits.map((each) => each.process), ...(peer === null ? [] : [peer])];
    try {
      await Promise.all(all.map((side) => side.start()));
      const runs = runsOf(contest, options);
      const warmUp = contest.warmUp ?? 1;
      let spent = 0;
      for (let round = 0; round < runs + warmUp; round += 1) {
        for (const side of all) {
          if (side === peer && spent > PEER_ENOUGH && peer.measured.took.length > 0) continue;
          const from = performance.now();
          await side.round(round >= warmUp);
          if (side === peer) spent += performance.now() - from;
        }
      }
      const row = rowOf(contest, ours.measured, limits, peer?.measured, options.steady ? fastest : median);
      return row.failed === undefined ? [row, ...moreRows(contest, ours, limits, peer)] : [row];
    } finally {
      await Promise.all(all.map((side) => side.end()));
      rmSync(folder, { recursive: true, force: true });
    }
  });
}

function runsOf({ runs }: Contest, { quick, steady }: GroupOptions): number {
  if (steady) return runs * STEADY_RUNS;
  return quick ? Math.min(3, runs) : runs;
}

/** Other programs can only add to the time of a run, often by half: the fastest runs compare the work itself. */
const fastest = (took: number[]): number => Math.min(...took);

function rowOf(
  contest: Contest,
  ours: Measured,
  limits: { name: string; process: SideProcess }[],
  peer: Measured | undefined,
  typical: (took: number[]) => number,
): Row {
  const per = contest.per ?? 1;
  const value = ({ took }: Measured) => typical(took) / per;
  const failed = failureOf(ours, limits);
  if (failed !== undefined)
    return { row: contest.row, unit: contest.unit, ours: Number.NaN, failed, target: contest.target };
  const anchors = limits.map(({ name, process: { measured } }) => ({
    name,
    value: value(measured),
    stall: median(measured.stalls),
    memory: measured.memory,
  }));
  const [anchor, ...others] = anchors;
  return {
    row: contest.row,
    unit: contest.unit,
    ours: value(ours),
    ...optional({ anchor }),
    ...(others.length === 0 ? {} : { others }),
    ...(peer === undefined ? {} : { peer: peerOf(peer, value, ours.answer, contest.peerNote) }),
    stall: median(ours.stalls),
    memory: ours.memory,
    ...optional({ answer: ours.answer, steady: contest.steady }),
    target: contest.target,
  };
}

/** Why there is nothing to compare. Our answer must equal the limits' answers: a fast wrong answer does not count. */
function failureOf(ours: Measured, limits: { name: string; process: SideProcess }[]): string | undefined {
  if (ours.failed !== undefined) return ours.failed;
  for (const { name, process } of limits) {
    const { failed, answer } = process.measured;
    if (failed !== undefined) return `${name} ${failed}`;
    if (answer !== undefined && answer !== ours.answer) return `${ours.answer}, but ${name} says ${answer}`;
  }
  return undefined;
}

function peerOf(
  peer: Measured,
  value: (measured: Measured) => number,
  answer: string | undefined,
  note: string | undefined,
): NonNullable<Row['peer']> {
  if (peer.failed !== undefined) return { note: peer.failed };
  const notes = [
    ...(peer.answer === answer ? [] : [`comes to ${peer.answer}`]),
    ...(note === undefined ? [] : [note]),
  ];
  return {
    value: value(peer),
    stall: median(peer.stalls),
    memory: peer.memory,
    ...(notes.length === 0 ? {} : { note: notes.join(', ') }),
  };
}

/** Rows from the numbers that the runs named. */
function moreRows(
  contest: Contest,
  ours: SideProcess,
  limits: { name: string; process: SideProcess }[],
  peer: SideProcess | null,
): Row[] {
  return Object.entries(contest.more ?? {}).map(([key, row]) => {
    const of = (side: SideProcess | undefined) => side?.measured.more.get(key);
    const [anchor, ...others] = limits.flatMap(({ name, process }) => {
      const values = of(process);
      return values === undefined ? [] : [{ name, value: median(values) }];
    });
    const peers = peer === null ? undefined : of(peer);
    return {
      ...row,
      ours: median(of(ours) ?? []),
      ...optional({ anchor }),
      ...(others.length === 0 ? {} : { others }),
      ...(peers === undefined ? {} : { peer: { value: median(peers) } }),
    };
  });
}

/** Paths of the data that some contests need, created if missing. */
export async function dataFor(contests: readonly Contest[]): Promise<Partial<Record<DataName, string>>> {
  const paths: Partial<Record<DataName, string>> = {};
  for (const name of new Set(contests.flatMap((contest) => contest.data ?? [])))
    paths[name] = await dataPath(name);
  return paths;
}
