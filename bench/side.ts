// One side of a contest, in a separate process: runs on request and reports the cost.

import { readFileSync, writeFileSync } from 'node:fs';
import { optional } from '../src-main/contract/shared/optional';
import type { Contest, Place, Runner, Side } from './contest';
import { type ContestGroup, contestGroups } from './contests';
import type { DataName } from './data';
import { watched } from './timing';

export interface SideOrder {
  group: ContestGroup;
  part: string;
  row: string;
  /** `ours`, `peer`, or `limit NAME`. */
  side: string;
  data: Partial<Record<DataName, string>>;
  own: string;
}

export interface ToSide {
  /** False: that was all. */
  round: boolean;
}

export type FromSide =
  | { kind: 'ready' }
  /** `took` in the row's unit for all operations of the run, `stall` in ms, `memory` in MB. */
  | {
      kind: 'done';
      took: number;
      stall: number;
      memory: number;
      answer?: string;
      more: Record<string, number>;
    }
  | { kind: 'failed'; message: string };

const MB = 1_000_000;

const rss = (): number => process.memoryUsage.rss();

/** Resets the system's peak memory counter; except on Linux it covers the whole lifetime. */
function resetPeak(): void {
  if (process.platform === 'linux') writeFileSync('/proc/self/clear_refs', '5');
}

/** Bytes. */
function peak(): number {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS * 1024;
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) * 1024;
}

function sideOf(contest: Contest, name: string): Side {
  const side =
    name === 'ours'
      ? contest.ours
      : name === 'peer'
        ? contest.peer
        : contest.limits?.[name.slice('limit '.length)];
  if (side === undefined) throw new Error(`no side ${name} in "${contest.row}"`);
  return side;
}

/** The data of a place. Throws for a name that the contest did not request, which is a mistake in the contest. */
function placeOf(order: SideOrder): Place {
  const data = new Proxy(order.data as Place['data'], {
    get: (paths, name) => {
      const path = paths[name as DataName];
      if (path === undefined) throw new Error(`"${order.row}" did not ask for the data ${String(name)}`);
      return path;
    },
  });
  return { data, own: order.own };
}

async function oneRound(contest: Contest, runner: Runner): Promise<FromSide> {
  await runner.before?.();
  globalThis.gc?.();
  const base = rss();
  resetPeak();
  const { took, stall, result } = await watched(() => runner.run());
  const memory = Math.max(0, peak() - base) / MB;
  const outcome = { ...result, ...(await runner.after?.()) };
  return {
    kind: 'done',
    took: outcome.value ?? (contest.unit === 'µs' ? took * 1000 : took),
    stall,
    memory,
    more: outcome.more ?? {},
    ...optional({ answer: outcome.answer }),
  };
}

/** Serves the process that forked this one until it says that was all. */
export async function serveSide(order: SideOrder): Promise<void> {
  const tell = (message: FromSide) => process.send?.(message);
  const parts = await contestGroups[order.group]();
  const part = parts[order.part];
  const contest = typeof part === 'string' ? undefined : part?.find(({ row }) => row === order.row);
  if (contest === undefined) throw new Error(`no row "${order.row}" in ${order.part}`);
  const failed = (error: unknown) =>
    tell({ kind: 'failed', message: error instanceof Error ? error.message : String(error) });
  let runner: Runner;
  try {
    runner = await sideOf(contest, order.side)(placeOf(order));
  } catch (error) {
    failed(error);
    return;
  }
  process.on('message', (message) => {
    const { round } = message as ToSide;
    if (round) oneRound(contest, runner).then(tell, failed);
    else
      Promise.resolve(runner.close?.()).then(
        () => process.exit(0),
        () => process.exit(1),
      );
  });
  process.on('disconnect', () => process.exit(1));
  tell({ kind: 'ready' });
}
