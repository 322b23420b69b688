import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { optional } from '../../../contract/shared/optional';
import { createSandbox } from '../index';
import { bubblewrap, mayBeNobody, noteOnNobody, removeTestFolder } from '../testing/bubblewrap';
import { discard, keep, type RehearsalRun } from './index';
import { folderIn, optionsFor, shell } from './testing/options';
import { makeBase, note, rehearsed, removeBundle, whyNoRehearsal } from './testing/place';

// Writing and removing the files takes most of it.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const FOLDERS = 1_000;
const FILES = 100;
/** Runs of which the fastest counts. */
const RUNS = 5;
/** A layer looks up each name in two places. */
const MAX_RATIO = 2;

let base = '';
let folder = '';
beforeAll(() => {
  base = makeBase();
  folder = folderIn(base);
  for (let one = 0; one < FOLDERS; one += 1) {
    mkdirSync(join(folder, `d${one}`));
    for (let file = 0; file < FILES; file += 1)
      writeFileSync(join(folder, `d${one}/f${file}`), `${one} ${file}\n`);
  }
});
afterAll(() => {
  removeTestFolder(base);
  removeBundle();
});

/** Every entry with its size, mode, time and inode. */
const asIs = () =>
  execFileSync('find', ['.', '-printf', '%P %y %m %s %T@ %i\n'], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
const kinds = ({ manifest }: RehearsalRun) =>
  Object.fromEntries(manifest.changes.map(({ path, kind }) => [path, kind]));
const inside = (one: string, kind: string) =>
  Object.fromEntries(Array.from({ length: FILES }, (_, file) => [`${one}/f${file}`, kind]));
const all = (one: string, kind: string) => ({ [one]: kind, ...inside(one, kind) });

const READS = 'find . -type f | wc -l';
const CHANGES =
  'set -e; echo more >> d0/f0; rm d1/f1; rm -r d2; mv d3 moved; chmod 600 d4/f4; echo x > d999/new; mkdir -p new/er; echo y > new/er/f; rm -r d5; mkdir d5; echo 5 > d5/f7; ln -s f0 d6/link';
const CHANGED = {
  'd0/f0': 'changed',
  'd1/f1': 'deleted',
  ...all('d2', 'deleted'),
  ...all('d3', 'deleted'),
  ...all('moved', 'created'),
  'd4/f4': 'mode',
  'd999/new': 'created',
  new: 'created',
  'new/er': 'created',
  'new/er/f': 'created',
  ...inside('d5', 'deleted'),
  'd5/f7': 'changed',
  'd6/link': 'created',
};

const users = [
  ['this user', undefined, false],
  [`an ordinary user${noteOnNobody}`, 'nobody', !mayBeNobody],
] as const;

describe.skipIf(whyNoRehearsal !== null)(`a command in a folder of 100,000 files${note}`, () => {
  it('takes little longer in a layer than in the sandbox, and changes nothing by reading', async () => {
    const before = asIs();
    expect(before.split('\n').filter((line) => line.includes(' f '))).toHaveLength(FOLDERS * FILES);
    const sandbox = createSandbox(optionsFor(base, bubblewrap).sandbox);
    const plain: typeof sandbox = { enter: (request) => sandbox.enter({ ...request, access: 'read-only' }) };
    const [inSandbox, inLayer]: number[][] = [[], []];
    for (let run = 0; run < RUNS; run += 1) {
      const began = performance.now();
      const { output } = await shell(base, READS)(plain, new AbortController().signal);
      const between = performance.now();
      const layered = await rehearsed(base, READS);
      inSandbox?.push(between - began);
      inLayer?.push(performance.now() - between);
      expect([output, layered.output, layered.manifest.changes]).toEqual([
        `${FOLDERS * FILES}\n`,
        `${FOLDERS * FILES}\n`,
        [],
      ]);
      await discard(layered.manifest);
    }
    const ratio = Math.min(...(inLayer ?? [])) / Math.min(...(inSandbox ?? []));
    expect(ratio).toBeLessThanOrEqual(MAX_RATIO);
    expect(asIs()).toBe(before);
  });

  for (const [who, as, isSkipped] of users)
    it.skipIf(isSkipped)(`has exactly its changes as the outcome, as ${who}`, async () => {
      const before = asIs();
      const run = await rehearsed(base, CHANGES, optional({ as }));
      if (as !== undefined) execFileSync('chown', ['-R', '0:0', base]);
      expect([run.output, run.exitCode]).toEqual(['', 0]);
      expect(kinds(run)).toEqual(CHANGED);
      expect(asIs()).toBe(before);
    });

  it('has its changes kept, and nothing else is touched', async () => {
    const untouched = () =>
      asIs()
        .split('\n')
        .filter((line) => !/^(d[0-6]|d999|new|moved)?[/ ]/.test(line));
    const before = untouched();
    expect(before).toHaveLength((FOLDERS - 8) * (FILES + 1) + 1);
    const { manifest } = await rehearsed(base, CHANGES);
    expect(manifest.changes).toHaveLength(Object.keys(CHANGED).length);
    expect(await keep(manifest)).toEqual({ kept: Object.keys(CHANGED).toSorted(), conflicts: [] });
    expect(untouched()).toEqual(before);
    const names = ['d1', 'd2', 'd3', 'd5', 'd999', 'moved', 'new/er'].map((path) => {
      const at = join(folder, path);
      return existsSync(at) ? readdirSync(at).length : null;
    });
    expect(names).toEqual([FILES - 1, null, null, 1, FILES + 1, FILES, 1]);
    expect(readFileSync(join(folder, 'd0/f0'), 'utf8')).toBe('0 0\nmore\n');
  });
});
