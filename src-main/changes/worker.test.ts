import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { bundle } from '../base/testing/bundle';
import { openEngine } from './index';

const outDir = mkdtempSync(join(tmpdir(), 'deepdesk-changes-worker-'));
const file = join(outDir, 'changes-worker.mjs');

beforeAll(async () => {
  await bundle({
    build: {
      ssr: join(import.meta.dirname, 'changes-worker.ts'),
      target: 'node20.18',
      outDir,
      rolldownOptions: { output: { format: 'es', entryFileNames: '[name].mjs' } },
    },
    ssr: { noExternal: true },
  });
}, 60_000);
afterAll(() => rmSync(outDir, { recursive: true, force: true }));

const temporary = () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'deepdesk-changes-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

it('a worker keeps earlier contents and restores them', async () => {
  const root = temporary();
  writeFileSync(join(root, 'a.txt'), 'one');
  const engine = openEngine({ store: temporary(), budget: 1e9, persist: true }, file);
  await engine.scan(root, { waitMs: 60_000 });
  writeFileSync(join(root, 'a.txt'), 'two');
  const { changes } = await engine.scan(root, {});
  const steps = changes.map(({ path, before, after }) => ({ path, before: after, after: before }));
  expect(await engine.apply(root, 'r', steps)).toEqual([{ path: 'a.txt', outcome: 'done' }]);
  expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('one');
  await engine.close();
  await expect(engine.usage()).rejects.toThrow('closing');
});

it('passes on the code of a system error, by which a full disk is recognized', async () => {
  const store = temporary();
  const engine = openEngine({ store, budget: 1e9, persist: true }, file);
  const root = temporary();
  await engine.scan(root, {});
  rmSync(store, { recursive: true });
  writeFileSync(store, 'no folder');
  writeFileSync(join(root, 'a.txt'), 'one');
  await expect(engine.scan(root, {})).rejects.toMatchObject({ code: 'ENOTDIR' });
  await engine.close().catch(() => undefined);
});

it('rejects when the worker fails, and the worker continues', async () => {
  const root = temporary();
  const engine = openEngine({ store: temporary(), budget: 1e9, persist: true }, file);
  // An invalid step is a bug of the caller.
  await expect(engine.apply(root, 'r', [null as never])).rejects.toThrow('apply');
  expect(await engine.usage()).toEqual({ bytes: 0, budget: 1e9 });
  await engine.close();
});
