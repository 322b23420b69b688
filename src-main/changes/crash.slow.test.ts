import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'vite';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { FileState } from '../contract/changes';
import { Engine } from './engine';

const Line = z.object({
  what: z.enum(['kept', 'reverting', 'reverted']),
  changes: z.array(z.object({ path: z.string(), before: FileState, after: FileState })),
});

const bundle = join(import.meta.dirname, `../../node_modules/.cache/deepdesk-changes-crash-${process.pid}`);

beforeAll(async () => {
  await build({
    configFile: false,
    logLevel: 'silent',
    build: { ssr: join(import.meta.dirname, 'testing/child.ts'), outDir: bundle, target: 'node20' },
    ssr: { noExternal: true },
  });
}, 60_000);
afterAll(() => rmSync(bundle, { recursive: true, force: true }));

const temporary = () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'deepdesk-changes-crash-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

/** Waits until the child has printed `lines` lines and kills it. */
async function killAfter(store: string, root: string, lines: number) {
  const child = spawn(process.execPath, [join(bundle, 'child.js'), store, root], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = once(child, 'close');
  let complaint = '';
  child.stderr.on('data', (data) => {
    complaint += String(data);
  });
  const told: z.infer<typeof Line>[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    told.push(Line.parse(JSON.parse(line)));
    if (told.length === lines) child.kill('SIGKILL');
  }
  const [, signal] = await closed;
  if (signal !== 'SIGKILL') throw new Error(`the child exited by itself: ${complaint}`);
  return told;
}

/** All names in a folder and below. */
const namesIn = (root: string) => readdirSync(root, { recursive: true }).map(String);

it.each([1, 2, 3, 4, 5, 8, 11, 14, 17, 20, 23, 26, 29, 32, 35, 38, 50, 77, 101, 119])(
  'keeps its data and completes an interrupted undo after being killed at step %i',
  async (lines) => {
    const [store, root] = [temporary(), temporary()];
    const told = await killAfter(store, root, lines);
    const engine = new Engine({ store, budget: 1e9, persist: true });
    onTestFinished(() => engine.close());
    await engine.scan(root, { waitMs: 60_000 });
    const kept = told.filter(({ what }) => what === 'kept').flatMap(({ changes }) => changes);
    const kinds = await Promise.all(kept.map(({ before, after }) => engine.diff(before, after, 10)));
    expect(kinds.filter(({ kind }) => kind === 'lost')).toEqual([]);

    const last = told.findLast(({ what }) => what === 'reverting');
    const round = told.filter(({ what }) => what === 'reverting').length;
    if (last === undefined || told.at(-1)?.what === 'kept') return;
    if (told.at(-1)?.what === 'reverting') {
      const outcomes = await engine.apply(root, `r${round}`, last.changes);
      expect(outcomes.filter(({ outcome }) => outcome !== 'done' && outcome !== 'already')).toEqual([]);
      const states = await engine.states(
        root,
        last.changes.map(({ path }) => path),
      );
      expect(states).toEqual(last.changes.map(({ after }) => after));
      expect(namesIn(root).filter((name) => name.endsWith('.deepdesk-undo'))).toEqual([]);
    }
  },
  60_000,
);
