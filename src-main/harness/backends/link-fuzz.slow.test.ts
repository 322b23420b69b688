import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readRegularText } from '../../base/open-regular';
import { FilesystemBackend } from './filesystem';

/** Minutes from `npm run fuzz`. Without it, a few hundred calls. */
const minutes = Number(process.env.DEEPDESK_FUZZ_MINUTES ?? 0);
const seed = Number(process.env.DEEPDESK_SEED ?? 20_261_122);
const SHORT = 300;

const NAMES = ['a.txt', 'b.txt', 'c.txt'];
const FOLDERS = ['', 'd0/', 'd1/', 'd0/deep/'];
const path = fc
  .tuple(fc.constantFrom(...FOLDERS), fc.constantFrom(...NAMES, 'new.txt', '.'))
  .map(([folder, name]) => `/${folder}${name}`);
const call = fc.record({
  path,
  kind: fc.constantFrom('read', 'readRaw', 'ls', 'grep', 'glob', 'download', 'edit', 'write', 'regular'),
});

/** Swaps files for links, and folders for links to `outside`, in two processes, until those are killed. */
async function swap(root: string, outside: string): Promise<ChildProcess[]> {
  const begin = async (args: string[]) => {
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    return child;
  };
  const folders = `const { renameSync: r, symlinkSync: s, rmSync: rm } = require('node:fs');
    const [at, to, ...names] = process.argv.slice(1); s(to, at + '/.l'); process.stdout.write('started\\n');
    const quietly = (make) => { try { make(); } catch {} };
    for (const parent = process.ppid; process.ppid === parent; ) for (const n of names) {
      quietly(() => r(at + '/' + n, at + '/.d')); quietly(() => r(at + '/.l', at + '/' + n));
      quietly(() => r(at + '/' + n, at + '/.l')); quietly(() => r(at + '/.d', at + '/' + n)); }`;
  const script = join(import.meta.dirname, 'testing/swap-links.mjs');
  return Promise.all([
    begin([script, root, NAMES.join(','), join(outside, 'outside-canary.txt'), '.env']),
    begin(['-e', folders, root, outside, 'd0', 'd1']),
  ]);
}

it(
  'reads and changes nothing outside, whatever is swapped for links [safety 19] [P63]',
  async () => {
    const top = mkdtempSync(join(tmpdir(), 'deepdesk-link-fuzz-'));
    const [root, outside] = [join(top, 'root'), join(top, 'outside')];
    const put = (file: string, text: string) => {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    };
    for (const folder of FOLDERS) for (const name of NAMES) put(join(root, folder, name), 'needle plain\n');
    put(join(root, '.plain'), 'needle plain\n');
    put(join(root, '.env'), 'needle plain\n');
    for (const file of ['outside-canary.txt', 'a.txt', 'deep/a.txt'])
      put(join(outside, file), 'needle CANARY\n');
    const fs = new FilesystemBackend({ rootDir: root });
    const ask = ({ kind, path: at }: { kind: string; path: string }): Promise<unknown> => {
      switch (kind) {
        case 'read':
          return fs.read(at);
        case 'readRaw':
          return fs.readRaw(at);
        case 'ls':
          return fs.ls(dirname(at));
        case 'grep':
          return fs.grep('needle', dirname(at));
        case 'glob':
          return fs.glob('**/*', dirname(at));
        case 'download':
          return fs
            .downloadFiles([at])
            .then((files) => files.map(({ content }) => String(Buffer.from(content ?? []))));
        case 'edit':
          return fs.edit(at, 'plain', 'plain');
        case 'write':
          return fs.write(at, 'needle plain\n');
        default:
          return readRegularText(join(root, at), { root, maxBytes: 1_000 });
      }
    };
    const children = await swap(root, outside);
    const until = performance.now() + minutes * 60_000;
    try {
      const holds = async (one: { kind: string; path: string }) => {
        const told = JSON.stringify(await ask(one));
        // An answer may name the requested path, but not what is there.
        expect(told.replaceAll(one.path, '')).not.toMatch(/CANARY|outside-canary/);
      };
      for (let round = 0; round === 0 || performance.now() < until; round += 1)
        await fc.assert(fc.asyncProperty(call, holds), {
          numRuns: SHORT,
          seed: seed + round,
          includeErrorInReport: true,
        });
    } finally {
      for (const child of children) {
        child.kill('SIGKILL');
        if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      }
    }
    const canaries = ['a.txt', 'deep/a.txt', 'outside-canary.txt'];
    for (const file of canaries) expect(readFileSync(join(outside, file), 'utf8')).toBe('needle CANARY\n');
    expect(readdirSync(outside, { recursive: true }).sort()).toEqual(['deep', ...canaries].sort());
    rmSync(top, { recursive: true, force: true });
  },
  minutes * 60_000 + 120_000,
);
