import { access, constants, mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Limit } from '../layer/shapes';

/** Start of a group's name. */
const NAME = 'deepdesk-';
/** Attempts to remove a group, and milliseconds between them: its last processes are still being cleaned up. */
const ATTEMPTS = 100;
const PAUSE = 20;

/** How often processes are listed that were started while the others were moved. */
const ROUNDS = 4;

type Controller = 'memory' | 'pids';

/** A limit of the kernel's: the file to write, and where it counts how often something failed because of it. */
interface Controls {
  limit: string;
  events: string;
  event: RegExp;
}
const VERSION_2: Record<Controller, Controls> = {
  memory: { limit: 'memory.max', events: 'memory.events', event: /^oom_kill ([1-9]\d*)$/m },
  pids: { limit: 'pids.max', events: 'pids.events', event: /^max ([1-9]\d*)$/m },
};
const VERSION_1: Record<Controller, Controls> = {
  memory: { limit: 'memory.limit_in_bytes', events: 'memory.oom_control', event: /^oom_kill ([1-9]\d*)$/m },
  pids: VERSION_2.pids,
};

/** A folder in which this user may make groups. */
interface Parent {
  path: string;
  controls: Partial<Record<Controller, Controls>>;
}

/** Control groups for the processes of one command. The kernel enforces their limits, for root too. */
export interface ControlGroup {
  /** The limit that the kernel enforced; null if none was reached. */
  reached(): Promise<Limit | null>;
  /** Call when the command has exited. */
  remove(): Promise<void>;
}

let parents: Promise<Parent[]> | null = null;
let count = 0;

/**
 * Moves running processes, and so all that they start from now on, into new groups. A move waits for all processors of the
 * machine, often for 10 ms, which is too long to do it before a command starts. What the processes have taken counts for the
 * group that they leave. `pids`: all of them at the moment. Null where this user may make no groups.
 */
export async function holdInGroups(
  pids: () => readonly number[],
  limits: Record<Controller, number>,
): Promise<ControlGroup | null> {
  const made = await makeGroups(limits);
  if (made === null) return null;
  const group: ControlGroup = {
    reached: async () => {
      for (const { path, controls } of made)
        for (const [name, { events, event }] of entriesOf(controls))
          if (event.test(await readFile(join(path, events), 'utf8').catch(() => '')))
            return name === 'pids' ? 'processes' : name;
      return null;
    },
    remove: async () => {
      await Promise.all(made.map(({ path }) => removed(path)));
    },
  };
  const moved = new Set<number>();
  for (let round = 0; round < ROUNDS; round += 1) {
    const left = pids().filter((pid) => !moved.has(pid));
    if (left.length === 0) break;
    for (const pid of left) {
      moved.add(pid);
      // It may have exited.
      for (const { path } of made)
        await writeFile(join(path, 'cgroup.procs'), String(pid)).catch(() => undefined);
    }
  }
  return group;
}

async function makeGroups(limits: Record<Controller, number>): Promise<Parent[] | null> {
  parents ??= findParents();
  const made: Parent[] = [];
  for (const { path: parent, controls } of await parents) {
    const path = join(parent, `${NAME}${process.pid}-${count++}`);
    try {
      await mkdir(path);
      made.push({ path, controls });
      for (const [name, { limit }] of entriesOf(controls))
        await writeFile(join(path, limit), String(limits[name]));
      // Without it, a part of the command would continue without the rest. The first version has no such file.
      await writeFile(join(path, 'memory.oom.group'), '1', { flag: 'r+' }).catch(() => undefined);
    } catch {
      await Promise.all(made.map((one) => rmdir(one.path).catch(() => undefined)));
      return null;
    }
  }
  return made.length === 0 ? null : made;
}

const entriesOf = (controls: Parent['controls']) => Object.entries(controls) as [Controller, Controls][];

async function removed(path: string): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const error = await rmdir(path).catch((thrown: NodeJS.ErrnoException) => thrown);
    if (error?.code !== 'EBUSY') return;
    await wait(PAUSE, undefined, { ref: false });
  }
}

/** Where this process is, by the kernel: the groups beside or below it that this user may make. */
async function findParents(): Promise<Parent[]> {
  const [own, mounts] = await Promise.all(
    ['/proc/self/cgroup', '/proc/self/mountinfo'].map((path) => readFile(path, 'utf8').catch(() => '')),
  );
  const found = await Promise.all([
    parentInVersion2(own ?? '', mounts ?? ''),
    ...parentsInVersion1(own ?? '', mounts ?? ''),
  ]);
  const usable = found.filter((one) => one !== null);
  await Promise.all(usable.map(({ path }) => removeLeftovers(path)));
  return usable;
}

/** What a killed process left. A group in use cannot be removed. */
async function removeLeftovers(parent: string): Promise<void> {
  const names = await readdir(parent).catch(() => []);
  const left = names.filter((name) => name.startsWith(NAME));
  await Promise.all(left.map((name) => rmdir(join(parent, name)).catch(() => undefined)));
}

/** A group with processes has no limited groups below it, so that a new one is beside the own, except at the top. */
async function parentInVersion2(own: string, mounts: string): Promise<Parent | null> {
  const path = /^0::(\/.*)$/m.exec(own)?.[1];
  const mount = mountOf(mounts, 'cgroup2', null);
  if (path === undefined || mount === null) return null;
  const parent = join(mount, dirname(path));
  const given = await readFile(join(parent, 'cgroup.subtree_control'), 'utf8').catch(() => '');
  const names = (['memory', 'pids'] as const).filter((name) => given.split(/\s+/).includes(name));
  if (!names.includes('memory') || !(await isWritable(parent))) return null;
  return { path: parent, controls: Object.fromEntries(names.map((name) => [name, VERSION_2[name]])) };
}

function parentsInVersion1(own: string, mounts: string): Promise<Parent | null>[] {
  return (['memory', 'pids'] as const).map(async (name) => {
    const path = new RegExp(`^\\d+:(?:[^:]*,)?${name}(?:,[^:]*)?:(/.*)$`, 'm').exec(own)?.[1];
    const mount = mountOf(mounts, 'cgroup', name);
    if (path === undefined || mount === null) return null;
    const parent = join(mount, path);
    return (await isWritable(parent)) ? { path: parent, controls: { [name]: VERSION_1[name] } } : null;
  });
}

/** Where a hierarchy is mounted as a whole. */
function mountOf(mounts: string, type: string, controller: string | null): string | null {
  for (const line of mounts.split('\n')) {
    const [before = '', after = ''] = line.split(' - ');
    const [, , , root, path] = before.split(' ');
    const [kind, , options = ''] = after.split(' ');
    if (kind !== type || root !== '/' || path === undefined) continue;
    if (controller === null || options.split(',').includes(controller)) return path;
  }
  return null;
}

/** Processes move between groups only if this user may write to the group above both. */
const isWritable = (path: string): Promise<boolean> =>
  Promise.all([access(path, constants.W_OK), access(join(path, 'cgroup.procs'), constants.W_OK)]).then(
    () => true,
    () => false,
  );
