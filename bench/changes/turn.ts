import { appendFileSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../scripts/process.mjs';
import { openEngine } from '../../src-main/changes';
import type { Part, Place, Side } from '../contest';
import { textOf } from '../text';

/** Files of the folder, in so many sub-folders. */
const FILES = 100_000;
const FOLDERS = 2_000;
/** Files that the command of a turn changes. */
const CHANGED = 20;
/** Milliseconds for the first look through the folder, which is not what is measured. */
const FIRST = 600_000;

/** 100,000 files of a kilobyte below `own`. */
function makeFolder(own: string): string {
  const root = join(own, 'folder');
  for (let folder = 0; folder < FOLDERS; folder += 1) {
    const path = join(root, `part-${folder % 50}`, `sub-${folder}`);
    mkdirSync(path, { recursive: true });
    for (let file = 0; file < FILES / FOLDERS; file += 1)
      writeFileSync(join(path, `file-${file}.ts`), textOf(folder * 50 + file, 1_000));
  }
  return root;
}

const fileOf = (root: string, round: number, index: number) => {
  const folder = (round * 97 + index * 131) % FOLDERS;
  return join(root, `part-${folder % 50}`, `sub-${folder}`, `file-${index}.ts`);
};

const changeSome = (root: string, round: number): void => {
  for (let index = 0; index < CHANGED; index += 1)
    appendFileSync(fileOf(root, round, index), `// ${round}\n`);
};

/** A turn with one command: the look before it, and the look after it with what it changed kept. */
const ours: Side = async ({ own }: Place) => {
  const root = makeFolder(own);
  const engine = openEngine({ store: join(own, 'store'), budget: 4 * 1024 ** 3, persist: true });
  const first = await engine.look(root, { waitMs: FIRST });
  if (!first.ready) throw new Error('the folder was not looked through in time');
  let round = 0;
  let changed = 0;
  let took = 0;
  return {
    run: async () => {
      round += 1;
      const claim = `call-${round}`;
      let from = performance.now();
      await engine.look(root, { named: ['src'], claim, waitMs: FIRST });
      took = performance.now() - from;
      // The command itself is not what the turn is charged with.
      changeSome(root, round);
      from = performance.now();
      const { changes } = await engine.look(root, {});
      await engine.release(root, claim);
      took += performance.now() - from;
      changed = changes.length;
      return { value: took, answer: String(changed) };
    },
    close: () => engine.close(),
  };
};

/** The same looks by git, which keeps nothing: its list of what changed, before and after. */
const gitStatus: Side = async ({ own }: Place) => {
  const root = makeFolder(own);
  const git = async (...args: string[]) => {
    const { code, stdout, output } = await run('git', args, { cwd: root });
    if (code !== 0) throw new Error(`git ${args[0]}: ${output}`);
    return stdout;
  };
  await git('init', '-q');
  // Nothing goes on by itself after a command has ended.
  await git('config', 'gc.auto', '0');
  await git('config', 'maintenance.auto', 'false');
  await git('add', '-A');
  await git('-c', 'user.name=b', '-c', 'user.email=b@b', 'commit', '-qm', 'first');
  let round = 0;
  return {
    run: async () => {
      round += 1;
      const from = performance.now();
      const listed = await git('status', '--porcelain');
      const took = performance.now() - from;
      if (listed !== '') throw new Error('the folder was not as it was');
      changeSome(root, round);
      const again = performance.now();
      const changed = await git('status', '--porcelain');
      const value = took + performance.now() - again;
      await git('checkout', '-q', '--', '.');
      return { value, answer: String(changed.trim().split('\n').length) };
    },
  };
};

/** What came to be in a folder, so that a run can begin anew. */
const copyOf = (from: string, to: string) => {
  rmSync(to, { recursive: true, force: true });
  cpSync(from, to, { recursive: true });
};

/** A command that deletes a folder of 1,000 files, and the way back. */
const undo: Side = async ({ own }: Place) => {
  const root = join(own, 'folder');
  const spare = join(own, 'spare');
  for (let file = 0; file < 1_000; file += 1) {
    mkdirSync(join(spare, `d${file % 20}`), { recursive: true });
    writeFileSync(join(spare, `d${file % 20}`, `f${file}`), textOf(file, 4_000));
  }
  copyOf(spare, join(root, 'src'));
  const engine = openEngine({ store: join(own, 'store'), budget: 4 * 1024 ** 3, persist: true });
  await engine.look(root, { waitMs: FIRST });
  let round = 0;
  return {
    run: async () => {
      round += 1;
      rmSync(join(root, 'src'), { recursive: true });
      const { changes } = await engine.look(root, {});
      const steps = changes.map(({ path, before, after }) => ({ path, before: after, after: before }));
      const from = performance.now();
      const results = await engine.apply(root, `undo-${round}`, steps);
      const value = performance.now() - from;
      await engine.look(root, {});
      return { value, answer: String(results.filter(({ outcome }) => outcome === 'done').length) };
    },
    close: () => engine.close(),
  };
};

const copy: Side = ({ own }: Place) => {
  const spare = join(own, 'spare');
  for (let file = 0; file < 1_000; file += 1) {
    mkdirSync(join(spare, `d${file % 20}`), { recursive: true });
    writeFileSync(join(spare, `d${file % 20}`, `f${file}`), textOf(file, 4_000));
  }
  return {
    run: () => {
      copyOf(spare, join(own, 'src'));
      return undefined;
    },
  };
};

export const turn: Part = [
  {
    row: 'pre-images and change scan per turn in a folder of 100,000 files',
    unit: 'ms',
    runs: 9,
    warmUp: 2,
    ours,
    limits: { 'git status': gitStatus },
    target: { atMost: 100, ratio: 1, answer: String(CHANGED) },
  },
  {
    row: 'undo of a command that deleted 1,000 files',
    unit: 'ms',
    runs: 5,
    ours: undo,
    limits: { 'plain copy': copy },
    target: { answer: '1021' },
  },
];
