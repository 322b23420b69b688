import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { linkSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { removeTestFolder } from '../../testing/bubblewrap';
import { keep, recoverKeeps } from '../index';
import { folderIn } from './options';
import { childProgram, makeBase, rehearsed, writeIn } from './place';

const FILES = 24;
/** Changes of every kind, including a file with another name. */
const COMMAND = `for i in $(seq ${FILES}); do echo "after $i $(head -c 3000 /dev/zero | tr '\\0' y)" > f$i; done; rm gone/a gone/b; rmdir gone; mkdir -p new/er; echo n > new/er/n; ln -s n new/er/l; chmod 600 mode; rm swap; mkdir swap; echo s > swap/s; head -c 400000 /dev/zero | tr '\\0' z > linked`;

/** A generator of numbers from 0 to 1, repeatable by seed. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Never synchronous: the moment of another process's kill would be late. */
const run = promisify(execFile);

const bash = async (script: string, cwd: string): Promise<string> =>
  (await run('bash', ['--norc', '-c', script], { cwd, encoding: 'utf8' })).stdout;

const stateOf = (at: string): Promise<string> =>
  bash('find . -printf "%P %y %m %l\\n" | sort; find . -type f -print0 | sort -z | xargs -0 sha256sum', at);

export interface Killed {
  /** The only valid states are before and after. */
  state: 'before' | 'after' | 'torn';
  /** The report of the next start; null if there was nothing to do. */
  recovered: string | null;
  /** Milliseconds that the next start needed for it. */
  recoveredIn: number;
  /** The result of keeping again if nothing was kept. */
  again: 'after' | 'torn';
  /** Lines of the folder's state that are in neither of the valid states, or missing of the one after. */
  differs: string[];
}

/** A disk of its own for the files and the layer, which loses power when the process is killed. */
export interface PoweredDisk {
  /** Where it is mounted; empty. */
  place: string;
  /** Puts what is in memory on the disk. */
  flush(): void;
  /** Called when the process is gone. The disk has another device number from then on. */
  cutPower(): void;
  remove(): void;
}

interface More {
  disk?: PoweredDisk;
  /** Starts that are killed too, each at this many milliseconds of its recovery. */
  starts?: readonly number[];
}

function fill(base: string): void {
  const folder = folderIn(base);
  for (let i = 1; i <= FILES; i += 1) writeIn(folder, { [`f${i}`]: `before ${i}` });
  writeIn(folder, { 'gone/a': 'a', 'gone/b': 'b', mode: 'm', swap: 's', linked: 'x'.repeat(300_000) });
  linkSync(join(folder, 'linked'), join(base, 'outside/linked'));
}

/** The two valid states of the folder: what it holds before the command, and after it. */
async function statesOn(place: string | undefined): Promise<{ before: string; after: string }> {
  const base = makeBase(place);
  try {
    fill(base);
    const folder = folderIn(base);
    const before = await stateOf(folder);
    await bash(COMMAND, folder);
    return { before, after: await stateOf(folder) };
  } finally {
    removeTestFolder(base);
  }
}

/** The same in every round. */
let usual: ReturnType<typeof statesOn> | undefined;
const usualStates = () => (usual ??= statesOn(undefined));

/**
 * Kills a process at a fraction (0 to 1) of the time that keeping takes, then starts again. With a disk, its power is lost
 * at the same time.
 */
export async function killedWhileKeeping(
  part: number,
  takes: number,
  { disk, starts = [] }: More = {},
): Promise<Killed & { took: number }> {
  const base = makeBase(disk?.place);
  const folder = folderIn(base);
  try {
    fill(base);
    const { before, after } = await (disk === undefined ? usualStates() : statesOn(join(disk.place, 'twin')));
    const { manifest } = await rehearsed(base, COMMAND);
    disk?.flush();
    const took = await killAfter(['keep', base, manifest.layer], part * takes);
    disk?.cutPower();
    for (const ms of starts) await killAfter(['recover', base], ms);
    const since = performance.now();
    const [recovered] = await recoverKeeps(join(base, 'data/layers'));
    const recoveredIn = performance.now() - since;
    const now = await stateOf(folder);
    const state = now === before ? 'before' : now === after ? 'after' : 'torn';
    if (state === 'before') await keep(manifest);
    const again =
      (await stateOf(folder)) === after && !readdirSync(manifest.place).includes('keep.json')
        ? 'after'
        : 'torn';
    const differs = state === 'torn' || again === 'torn' ? differences(now, before, after) : [];
    return { state, differs, recovered: recovered?.outcome ?? null, recoveredIn, again, took };
  } finally {
    if (disk === undefined) removeTestFolder(base);
    else disk.remove();
  }
}

function differences(now: string, before: string, after: string): string[] {
  const [seen, old, wanted] = [now, before, after].map((state) => new Set(state.split('\n')));
  return [
    ...[...(seen ?? [])]
      .filter((line) => !wanted?.has(line))
      .map((line) => `${old?.has(line) ? 'old' : 'odd'} ${line}`),
    ...[...(wanted ?? [])].filter((line) => !seen?.has(line)).map((line) => `missing ${line}`),
  ];
}

/** Returns the milliseconds until it exited. */
async function killAfter(job: readonly string[], ms: number): Promise<number> {
  const child = spawn(process.execPath, [await childProgram(), ...job], {
    env: {},
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  await once(child.stdout, 'data');
  const since = performance.now();
  if (Number.isFinite(ms)) {
    await wait(ms);
    child.kill('SIGKILL');
  }
  await closed;
  return performance.now() - since;
}
