import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import { expect, it } from 'vitest';
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
  const text = (name: string) => readFileSync(join(folder, name), 'utf8');
  expect(text('flushed')).toBe('kept');
  for (const name of ['shorter', 'replaced', 'moved', 'removed']) expect(text(name)).toBe(`old ${name}\n`);
  expect(existsSync(join(folder, 'made'))).toBe(false);
  expect(text('synced')).toBe('old synced\nby itself');
});

it.skipIf(note !== '')(`what a person attached survives a power loss, also in a fork${note}`, async () => {
  const recorder = compile();
  if ('whyNot' in recorder) throw new Error(recorder.whyNot);
  const [dataDir, bundle, place] = [join(temp('power'), 'data'), temp('bundle'), temp('place')];
  mkdirSync(dataDir);
  await build({
    configFile: false,
    logLevel: 'silent',
    ssr: { noExternal: true },
    build: {
      ssr: true,
      outDir: bundle,
      target: 'node20',
      rolldownOptions: {
        input: join(import.meta.dirname, '../threads/testing/child.ts'),
        output: { format: 'es', entryFileNames: 'attaching.mjs' },
      },
    },
  });
  const power = preparePower(recorder.library, dataDir, place);
  const env = { ...process.env, ...power.env };
  const child = spawn(process.execPath, [join(bundle, 'attaching.mjs'), dataDir], { env, stdio: 'inherit' });
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
  power.cut(() => 0);
  for (const thread of ['thread', 'fork']) {
    const folder = join(dataDir, 'attachments', thread);
    const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    expect(texts).toEqual(['notes\n']);
  }
});
