// The event loop of the main process while three threads work: one writes files step by step, one has a command print, and
// one searches.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { run } from '../../scripts/process.mjs';
import { Rule } from '../../src-main/contract/control';
import { ProjectId } from '../../src-main/contract/ids';
import { COMMON, dataPath } from '../data';
import { type OpenWindow, openWindow } from '../electron-window';
import type { Row } from '../row';
import type { LaunchApp } from './app';
import { addProject, addThread, messageOf, open, seed } from './data';
import * as page from './page';
import { type Step, startCaller } from './provider';
import { say } from './sending';

/** Files written one after another, and the characters of each. */
const STEPS = 200;
const FILE = 20_000;
/** Lines of about 60 bytes: 100 MB. */
const LOG_LINES = 1_650_000;
/** One search finishes long before the steps do. */
const GREPS = 10;
/** Milliseconds of idle time, for comparison. */
const STILL = 3_000;
const WITHIN = 90_000;
const LOOK = 100;

const Delays = z.object({ p99: z.number(), max: z.number() });

/**
 * Runs in the main process before the app: on each signal, it writes the event loop delay since the previous signal to a
 * file, in milliseconds. Only the delay beyond the expected millisecond counts.
 */
const watcher = (file: string) => `
const { monitorEventLoopDelay } = require('node:perf_hooks');
const { renameSync, writeFileSync } = require('node:fs');
const delay = monitorEventLoopDelay({ resolution: 1 });
process.on('SIGUSR2', () => {
  delay.disable();
  const beyond = (nanoseconds) => Math.max(0, nanoseconds / 1e6 - 1);
  const told = JSON.stringify({ p99: beyond(delay.percentile(99)), max: beyond(delay.max) });
  writeFileSync(${JSON.stringify(`${file}.new`)}, told);
  renameSync(${JSON.stringify(`${file}.new`)}, ${JSON.stringify(file)});
  delay.reset();
  delay.enable();
});
delay.enable();
`;

async function until(isTrue: () => boolean, what: string): Promise<void> {
  const late = performance.now() + WITHIN;
  while (!isTrue()) {
    if (performance.now() > late) throw new Error(`${what} did not come within ${WITHIN} ms`);
    await setTimeout(LOOK);
  }
}

/**
 * What the agent does in each thread, by the person's message; done: its turn has ended. The search runs in `tree`, the
 * other work in `project`.
 */
function work(project: string, tree: string, steps: number) {
  const done = new Set<string>();
  const text = 'const value = compute(1, 2, 3);\n'.repeat(FILE / 32);
  const calls: Record<string, { count: number; call: (number: number) => Step }> = {
    steps: {
      count: steps,
      call: (number) => ({
        name: 'write_file',
        args: { file_path: join(project, 'made', `file-${number}.ts`), content: `// ${number}\n${text}` },
      }),
    },
    log: {
      count: 1,
      call: () => ({
        name: 'execute',
        args: { command: `seq -f 'compiled src/module/part-%.0f.ts, nothing to say of it' 1 ${LOG_LINES}` },
      }),
    },
    grep: {
      count: GREPS,
      call: () => ({ name: 'grep', args: { pattern: COMMON, path: tree, output_mode: 'content' } }),
    },
  };
  const made = new Map<string, number>();
  const next = (request: string): Step => {
    const [, name = ''] = /Do the (\w+)/.exec(request) ?? [];
    const one = calls[name];
    if (one === undefined) return { text: 'Good morning.' };
    // The request offers no tools when it summarizes older messages.
    if (!request.includes('"tools":')) return { text: `Do the ${name}` };
    const number = made.get(name) ?? 0;
    made.set(name, number + 1);
    if (number < one.count) return one.call(number);
    done.add(name);
    return { text: 'That is done.' };
  };
  return { names: Object.keys(calls), done, made, next };
}

/** How far each thread got, and what the shown one says: explains why it did not get further. */
async function standOf(window: OpenWindow, made: ReadonlyMap<string, number>): Promise<string> {
  const shown = await window.evaluate(`document.querySelector('[role="log"]')?.innerText.slice(-600)`);
  return `${JSON.stringify([...made])} ${String(shown)}`;
}

/** Rows of the main process's event loop while all three threads work. */
export async function underLoad(folder: string, launch: LaunchApp, quick: boolean): Promise<Row[]> {
  const [tree, project] = [join(folder, 'tree'), join(folder, 'project')];
  // Links, not copies: rewriting a file does not change the one that is kept between runs.
  const linked = await run('cp', ['-al', await dataPath('tree'), tree]);
  if (linked.code !== 0) throw new Error(linked.output);
  const steps = quick ? STEPS / 4 : STEPS;
  const { names, done, made, next } = work(project, tree, steps);
  const provider = await startCaller(next);
  const [data, told] = [join(folder, 'data'), join(folder, 'delays.json')];
  const storage = open(data);
  seed(storage, tree, [], provider.baseUrl);
  const small = ProjectId.parse('small');
  addProject(storage, small, project);
  for (const name of names)
    addThread(storage, name, `The ${name}`, 4, Date.now(), ...(name === 'grep' ? [] : [small]));
  const allow = (id: string, match: Rule['match']) =>
    storage.rules.save(
      Rule.parse({ id, createdAt: Date.now(), effect: 'allow', match, scope: { kind: 'person' } }),
    );
  allow('files', { kind: 'path', changes: ['write'], glob: 'made/**' });
  allow('print', { kind: 'command', words: ['seq'], exact: false });
  while (storage.search.index(1_000));
  storage.close();
  mkdirSync(join(project, 'made'));
  const required = join(folder, 'watcher.cjs');
  writeFileSync(required, watcher(told));
  const window = await openWindow(launch({ data, required }));
  const delays = async () => {
    rmSync(told, { force: true });
    process.kill(window.pid, 'SIGUSR2');
    await until(() => existsSync(told), 'what the event loop was held for');
    return Delays.parse(JSON.parse(readFileSync(told, 'utf8')));
  };
  try {
    const { id: last } = messageOf(3);
    // The first turn after a start loads what runs need, which is not measured.
    for (const name of names) {
      await window.evaluate(page.openThread(name, last));
      const before = provider.asked.length;
      await say(window, 'Good morning');
      await until(() => provider.asked.length > before, 'a first request');
      await window.evaluate(page.whenAtRest);
    }
    await delays();
    await setTimeout(STILL);
    const still = await delays();
    // The steps take the longest, and their thread is shown.
    for (const name of names.toReversed()) {
      await window.evaluate(page.openThread(name, last));
      await say(window, `Do the ${name}`);
    }
    try {
      await until(() => done.size === names.length, 'the end of the three turns');
    } catch (error) {
      throw new Error(`${String(error)}: ${await standOf(window, made)}`);
    }
    const { p99, max } = await delays();
    const row = `event loop of main, ${steps} steps, 100 MB of output and grep over T1 at once`;
    const anchor = (value: number) => ({ name: 'nothing happens', value });
    return [
      { row: `${row}, 99 %`, unit: 'ms', ours: p99, anchor: anchor(still.p99), target: { atMost: 12 } },
      {
        row: '  the longest delay',
        unit: 'ms',
        ours: max,
        anchor: anchor(still.max),
        target: { atMost: 33 },
      },
    ];
  } finally {
    await window.close();
    provider.close();
  }
}
