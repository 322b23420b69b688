import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { build } from 'vite';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { Engine } from '../../changes/engine';
import { FileState } from '../../contract/changes';
import { openStorage } from '../../storage';
import { temp } from '../testing/window';
import { preparePower } from './testing/power-loss';
import { compilePreload } from './testing/preload';

/** Each test has its own: its folder is removed after it. */
const compile = () => compilePreload('unsynced', temp('recorder'));
const trial = compile();
const note = 'whyNot' in trial ? ` (skipped: ${trial.whyNot})` : '';

/** Ends like a power loss: everything that it did not flush is gone. */
const PROGRAM = `
const { openSync, writeSync, fsyncSync, renameSync, unlinkSync, ftruncateSync, writeFileSync } = require('node:fs');
const flushed = openSync('flushed', 'w');
writeSync(flushed, 'kept');
fsyncSync(flushed);
fsyncSync(openSync('.', 'r'));
writeSync(flushed, ' and lost');
ftruncateSync(openSync('shorter', 'r+'), 2);
writeFileSync('replaced', 'new');
renameSync('moved', 'replaced');
unlinkSync('removed');
writeFileSync('made', 'new');
writeFileSync('synced', 'by itself', { flag: 'as' });
process.kill(process.pid, 'SIGKILL');
`;

it.skipIf(note !== '')(`a simulated power loss takes back exactly what was not flushed${note}`, async () => {
  const recorder = compile();
  if ('whyNot' in recorder) throw new Error(recorder.whyNot);
  const [folder, place] = [join(temp('power'), 'folder'), temp('place')];
  mkdirSync(folder);
  for (const name of ['shorter', 'replaced', 'moved', 'removed', 'synced'])
    writeFileSync(join(folder, name), `old ${name}\n`);
  const power = preparePower(recorder.library, folder, place);
  const env = { ...process.env, ...power.env };
  const child = spawn(process.execPath, ['-e', PROGRAM], { cwd: folder, env, stdio: 'inherit' });
  const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
  expect(signal).toBe('SIGKILL');
  expect(readFileSync(join(folder, 'flushed'), 'utf8')).toBe('kept and lost');
  expect(power.cut(() => 0)).toBeGreaterThan(5);
  const left = (name: string) => readFileSync(join(folder, name), 'utf8');
  expect(left('flushed')).toBe('kept');
  for (const name of ['shorter', 'replaced', 'moved', 'removed']) expect(left(name)).toBe(`old ${name}\n`);
  expect(existsSync(join(folder, 'made'))).toBe(false);
  expect(left('synced')).toBe('old synced\nby itself');
});

/** Bundles a program, runs it until it kills itself, and loses what it did not flush below `root`. Returns its output. */
async function losePower(program: string, root: string, ...args: string[]): Promise<string> {
  const recorder = compile();
  if ('whyNot' in recorder) throw new Error(recorder.whyNot);
  const place = temp('place');
  // Where the program finds the packages that are not bundled.
  const bundle = mkdtempSync(join(import.meta.dirname, '../../../node_modules/.power-loss-'));
  onTestFinished(() => rmSync(bundle, { recursive: true, force: true }));
  mkdirSync(root, { recursive: true });
  await build({
    configFile: false,
    logLevel: 'silent',
    ssr: { noExternal: true, external: ['better-sqlite3'] },
    build: {
      ssr: true,
      outDir: bundle,
      target: 'node20',
      rolldownOptions: {
        input: join(import.meta.dirname, program),
        external: ['better-sqlite3'],
        output: { format: 'es', entryFileNames: 'program.mjs' },
      },
    },
  });
  const power = preparePower(recorder.library, root, place);
  const env = { ...process.env, ...power.env };
  const child = spawn(process.execPath, [join(bundle, 'program.mjs'), ...args], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const output = text(child.stdout);
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
  power.cut(() => 0);
  return output;
}

it.skipIf(note !== '')(`what a person attached survives a power loss, also in a fork${note}`, async () => {
  const dataDir = join(temp('power'), 'data');
  await losePower('../threads/testing/child.ts', dataDir, dataDir);
  for (const thread of ['thread', 'fork']) {
    const folder = join(dataDir, 'attachments', thread);
    const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    expect(texts).toEqual(['notes\n']);
  }
});

it.skipIf(note !== '')(
  `a dropped file, a backup and the key of digests survive a power loss${note}`,
  async () => {
    const root = join(temp('power'), 'root');
    await losePower('testing/person-files-child.ts', root, root);
    expect(readFileSync(join(root, 'project/drop/a.bin'), 'utf8')).toBe('one two');
    expect(readFileSync(join(root, 'withheld.key'))).toHaveLength(32);
    const opened = openStorage(join(root, 'backups/copy.backup'));
    if (!opened.ok) throw new Error(opened.error.code);
    onTestFinished(() => opened.value.close());
    expect(opened.value.projects.list()).toMatchObject([{ name: 'saved' }]);
  },
  60_000,
);

const Kept = z.object({
  changes: z.array(z.object({ path: z.string(), before: FileState, after: FileState })),
  state: FileState,
  kept: z.string(),
});

it.skipIf(note !== '')(
  `what the agent changed can be undone after a power loss${note}`,
  async () => {
    const [root, store] = [temp('root'), join(temp('power'), 'store')];
    for (const name of ['written', 'removed', 'stays']) writeFileSync(join(root, name), `${name}\n`);
    const output = await losePower('../../changes/testing/power-child.ts', store, store, root);
    const { changes, state, kept } = Kept.parse(JSON.parse(output));
    expect(changes.map(({ path }) => path)).toEqual(['written', 'removed']);
    const engine = new Engine({ store, budget: 1e9, persist: true });
    onTestFinished(() => engine.close());
    expect(String(await engine.content(kept))).toBe('from elsewhere\n');
    expect(await engine.content((state.type === 'file' && state.hash) || '')).not.toBeNull();
    const back = changes.map(({ path, before, after }) => ({ path, before: after, after: before }));
    await engine.apply(root, 'revert', back);
    for (const name of ['written', 'removed'])
      expect(readFileSync(join(root, name), 'utf8')).toBe(`${name}\n`);
  },
  60_000,
);
