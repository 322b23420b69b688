import { appendFileSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../scripts/process.mjs';
import { openEngine } from '../../src-main/changes';
import type { Part, Place, Side } from '../contest';
import { SOURCE_FOLDERS, sourceFile, sourceText } from '../data';
import { textOf } from '../text';

/** Files that the command of a turn changes. */
const CHANGED = 20;
/** Milliseconds for the first scan of the folder, which is not measured. */
const FIRST = 600_000;

/** The paths of the files that a turn changes. */
const filesOf = (round: number) =>
  Array.from({ length: CHANGED }, (_, index) => ({
    path: sourceFile((round * 97 + index * 131) % SOURCE_FOLDERS, index),
    text: sourceText(index),
  }));

const changeSome = (root: string, round: number): void => {
  for (const { path } of filesOf(round)) appendFileSync(join(root, path), `// ${round}\n`);
};
const putBack = (root: string, round: number): void => {
  for (const { path, text } of filesOf(round)) writeFileSync(join(root, path), text);
};

/** A turn with one command: the scan before it, and the scan after it that saves its changes. */
const ours: Side = async ({ own, data }: Place) => {
  const root = data.sources;
  const engine = openEngine({ store: join(own, 'store'), budget: 4 * 1024 ** 3, persist: true });
  const first = await engine.scan(root, { waitMs: FIRST });
  if (!first.ready) throw new Error('the folder was not looked through in time');
  let round = 0;
  return {
    run: async () => {
      round += 1;
      const claim = `call-${round}`;
      const from = performance.now();
      await engine.scan(root, { named: ['src'], claim, waitMs: FIRST });
      const before = performance.now() - from;
      // The command itself is not part of the measured turn.
      changeSome(root, round);
      const again = performance.now();
      const { changes } = await engine.scan(root, {});
      await engine.release(root, claim);
      const value = before + performance.now() - again;
      putBack(root, round);
      return { value, answer: String(changes.length) };
    },
    close: () => engine.close(),
  };
};

/** The same scans by git, which saves nothing: its status before and after. */
const gitStatus: Side = ({ data }: Place) => {
  const root = data.sources;
  const status = async () => {
    const { code, stdout, output } = await run('git', ['status', '--porcelain'], { cwd: root });
    if (code !== 0) throw new Error(`git status: ${output}`);
    return stdout.split('\n').filter((line) => line !== '');
  };
  let round = 0;
  return {
    run: async () => {
      round += 1;
      const from = performance.now();
      await status();
      const before = performance.now() - from;
      changeSome(root, round);
      const again = performance.now();
      const changed = await status();
      const value = before + performance.now() - again;
      putBack(root, round);
      return { value, answer: String(changed.length) };
    },
  };
};

/** Copies what was added to a folder, so that a run can start over. */
const copyOf = (from: string, to: string) => {
  rmSync(to, { recursive: true, force: true });
  cpSync(from, to, { recursive: true });
};

/** A command that deletes a folder of 1,000 files, and the undo. */
const undo: Side = async ({ own }: Place) => {
  const root = join(own, 'folder');
  const spare = join(own, 'spare');
  for (let file = 0; file < 1_000; file += 1) {
    mkdirSync(join(spare, `d${file % 20}`), { recursive: true });
    writeFileSync(join(spare, `d${file % 20}`, `f${file}`), textOf(file, 4_000));
  }
  copyOf(spare, join(root, 'src'));
  const engine = openEngine({ store: join(own, 'store'), budget: 4 * 1024 ** 3, persist: true });
  await engine.scan(root, { waitMs: FIRST });
  let round = 0;
  return {
    run: async () => {
      round += 1;
      rmSync(join(root, 'src'), { recursive: true });
      const { changes } = await engine.scan(root, {});
      const steps = changes.map(({ path, before, after }) => ({ path, before: after, after: before }));
      const from = performance.now();
      const results = await engine.apply(root, `undo-${round}`, steps);
      const value = performance.now() - from;
      await engine.scan(root, {});
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
    data: ['sources'],
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
