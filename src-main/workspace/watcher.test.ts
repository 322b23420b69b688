import { spawn } from 'node:child_process';
import { EventEmitter } from 'node:events';
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { FSWatcher } from 'chokidar';
import ts from 'typescript';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { capability, skippedBecause } from '../../scripts/runtime/capabilities.mjs';
import { type FolderChange, type FolderWatcher, watchFolder } from './watcher';

let folder: string;
let watcher: FolderWatcher | undefined;
let changes: FolderChange[];
let said: string[];
const happened = new EventEmitter();

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'watcher-')));
  changes = [];
  said = [];
});
afterEach(async () => {
  await watcher?.close();
  rmSync(folder, { recursive: true, force: true });
  rmSync(`${folder}-moved`, { recursive: true, force: true });
});

function start(watch?: Parameters<typeof watchFolder>[2]) {
  watcher = watchFolder(
    folder,
    {
      onChange: (change) => {
        changes.push(change);
        happened.emit('any');
      },
      onGone: () => said.push('gone'),
      onDegraded: () => said.push('degraded'),
    },
    watch,
  );
  return watcher;
}

const until = (check: () => void) => vi.waitFor(check, { timeout: 10_000, interval: 10 });
const allFiles = () => [...new Set(changes.flatMap(({ files }) => files))].sort();
const allDirectories = () => [...new Set(changes.flatMap(({ directories }) => directories))].sort();

describe('a watched folder', () => {
  it('reports files created, changed and removed at its top level', async () => {
    await start().watch(folder);
    const file = join(folder, 'file');
    for (const act of [() => writeFileSync(file, '1'), () => writeFileSync(file, '2'), () => rmSync(file)]) {
      changes = [];
      act();
      await until(() => expect(allFiles()).toEqual([file]));
      expect(allDirectories()).toEqual([folder]);
    }
  });

  it('reports a subdirectory only while it is shown', async () => {
    const below = join(folder, 'below');
    mkdirSync(below);
    const { watch, unwatch } = start();
    await watch(folder);
    await watch(below);
    writeFileSync(join(below, 'seen'), '');
    await until(() => expect(allFiles()).toContain(join(below, 'seen')));
    unwatch(below);
    changes = [];
    writeFileSync(join(below, 'unseen'), '');
    writeFileSync(join(folder, 'mark'), '');
    await until(() => expect(allFiles()).toContain(join(folder, 'mark')));
    expect(allFiles()).not.toContain(join(below, 'unseen'));
  });

  it('reports a new directory', async () => {
    await start().watch(folder);
    mkdirSync(join(folder, 'new'));
    await until(() => expect(allFiles()).toEqual([join(folder, 'new')]));
  });

  it('reports that everything changed when there are too many changes', async () => {
    await start().watch(folder);
    for (let i = 0; i < 1_500; i += 1) writeFileSync(join(folder, `f${i}`), '');
    await until(() => expect(changes).toContainEqual({ directories: [], files: [], all: true }));
  });

  it('does not follow links out of the folder', async () => {
    const outside = realpathSync(mkdtempSync(join(tmpdir(), 'outside-')));
    symlinkSync(outside, join(folder, 'link'));
    const { watch } = start();
    await watch(folder);
    await watch(join(folder, 'link'));
    await watch(outside);
    writeFileSync(join(outside, 'secret'), '');
    writeFileSync(join(folder, 'mark'), '');
    await until(() => expect(allFiles()).toEqual([join(folder, 'mark')]));
    rmSync(outside, { recursive: true });
  });

  it.each([
    ['deleted', () => rmSync(folder, { recursive: true })],
    ['renamed', () => renameSync(folder, `${folder}-moved`)],
    [
      'replaced',
      () => {
        renameSync(folder, `${folder}-moved`);
        mkdirSync(folder);
      },
    ],
  ])('reports once that it was %s', async (_what, act) => {
    await start().watch(folder);
    act();
    await until(() => expect(said).toEqual(['gone']));
  });

  it('reports that it is gone if it was removed before it was watched', async () => {
    const watching = start().watch(folder);
    renameSync(folder, `${folder}-moved`);
    await watching;
    await until(() => expect(said).toEqual(['gone']));
  });
});

/** A watcher of a system without free watches: fails unless it polls. */
function exhausted(options: unknown): FSWatcher {
  const fake = new FSWatcher(options as ConstructorParameters<typeof FSWatcher>[0]);
  const isPolling = fake.options.usePolling;
  queueMicrotask(() => {
    if (isPolling) fake.emit('ready');
    else fake.emit('error', Object.assign(new Error('no space'), { code: 'ENOSPC' }));
  });
  return fake;
}

describe('a system without free watches', () => {
  it('polls, and tells the user once', async () => {
    const polled: string[] = [];
    const { watch } = start((path, options) => {
      if (options?.usePolling) polled.push(String(path));
      return exhausted(options);
    });
    await watch(folder);
    expect(said).toHaveLength(1);
    expect(said[0]).toBe('degraded');
    expect(polled).toEqual([folder]);
  });

  it('still reports changes', async () => {
    const { watch: watchReal } = await import('chokidar');
    const { watch } = start((path, options) =>
      options?.usePolling ? watchReal(path, { ...options, interval: 20 }) : exhausted(options),
    );
    await watch(folder);
    // The initial scan must finish before the change, so the change is repeated until it is seen.
    await vi.waitFor(
      () => {
        writeFileSync(join(folder, `file${Math.random()}`), '');
        expect(changes.length).toBeGreaterThan(0);
      },
      { timeout: 10_000, interval: 50 },
    );
    expect(allDirectories()).toEqual([folder]);
  });
});

/** Runs the watcher as a separate program that prints its events; `command` runs the program, its last argument. */
function watchedAlone(command: readonly string[], directory: string) {
  const source = ts.transpileModule(readFileSync(join(import.meta.dirname, 'watcher.ts'), 'utf8'), {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
  }).outputText;
  const program = `${source}
    const say = (what) => console.log(JSON.stringify(what));
    const watching = watchFolder(${JSON.stringify(directory)}, {
      onChange: ({ files, all }) => say(all ? { all } : { files }),
      onGone: () => say('gone'),
      onDegraded: () => say('degraded'),
    });
    await watching.watch(${JSON.stringify(join(directory, 'below'))});
    say('watching');`;
  const [name = '', ...args] = command;
  const child = spawn(name, [...args, program], {
    cwd: join(import.meta.dirname, '../..'),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const printed: unknown[] = [];
  createInterface(child.stdout).on('line', (line) => printed.push(JSON.parse(line)));
  return { printed, child, stop: () => child.kill('SIGKILL') };
}

/** Containers and some kernels do not let a process set limits for itself. */
const ownLimits = await capability('ownLimits');

describe.skipIf(!ownLimits.works)(
  `a system that really has no watches left${skippedBecause(ownLimits)}`,
  () => {
    it.each(['watches', 'instances'])(
      'polls when %s are used up',
      async (what) => {
        mkdirSync(join(folder, 'below'));
        const shell = `echo 0 > /proc/sys/user/max_inotify_${what} && exec node --input-type=module -e "$0"`;
        const unshare = ['unshare', '--user', '--map-root-user', 'sh', '-c', shell];
        const { printed, stop } = watchedAlone(unshare, folder);
        try {
          await vi.waitFor(() => expect(printed).toContain('watching'), 10_000);
          expect(printed).toEqual(['degraded', 'watching']);
          const made: string[] = [];
          const told = () => printed.map((one) => JSON.stringify(one)).join();
          // The initial scan must finish before the change, so the change is repeated until it is seen.
          await vi.waitFor(
            () => {
              made.push(join(folder, 'below', `file${made.length}`));
              writeFileSync(made.at(-1) ?? '', '');
              expect(made.filter((path) => told().includes(path))).not.toEqual([]);
            },
            { timeout: 10_000, interval: 200 },
          );
        } finally {
          stop();
        }
      },
      25_000,
    );
  },
);

describe.runIf(process.platform === 'linux')('a queue of changes that overflows', () => {
  it('is reported as a change of everything', async () => {
    const below = join(folder, 'below');
    mkdirSync(below);
    const { printed, child, stop } = watchedAlone([process.execPath, '--input-type=module', '-e'], folder);
    try {
      await vi.waitFor(() => expect(printed).toContain('watching'), 10_000);
      child.kill('SIGSTOP');
      // Too few names to be many changes, and too many changes for the queue. The kernel merges equal ones in a row.
      const length = Number(readFileSync('/proc/sys/fs/inotify/max_queued_events', 'utf8'));
      const names = [join(below, 'a'), join(below, 'b')];
      const files = names.map((name) => openSync(name, 'w'));
      for (let round = 0; round < length; round += 1) for (const file of files) writeSync(file, 'x');
      for (const file of files) closeSync(file);
      writeFileSync(join(folder, 'dropped'), '');
      child.kill('SIGCONT');
      await vi.waitFor(() => expect(printed).toContainEqual({ all: true }), 10_000);
      expect(JSON.stringify(printed)).not.toContain('dropped');
    } finally {
      stop();
    }
  }, 25_000);
});
