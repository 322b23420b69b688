import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  constants,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listRegular, openRegular, type ReadOptions, readRegular, readRegularText } from './open-regular';
import { readRegularSync } from './open-regular-sync';
import { DESCRIPTORS_HAVE_PATHS, isRefused } from './regular-file';

const top = mkdtempSync(join(tmpdir(), 'deepdesk-regular-'));
const root = join(top, 'root');
const outside = join(top, 'outside');
const socket = createServer();

const put = (path: string, text: string | Buffer = 'text') => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};
const linkTo = (target: string, name: string) => {
  mkdirSync(dirname(join(root, name)), { recursive: true });
  symlinkSync(target, join(root, name));
};

beforeAll(async () => {
  put(join(outside, 'secret.txt'), 'CANARY');
  put(join(root, 'plain.txt'), 'hello');
  put(join(root, 'sub/deep.txt'), 'deep');
  put(join(root, 'empty.txt'), '');
  put(join(root, 'large.txt'), 'x'.repeat(5_000));
  for (const name of ['fifo', 'sub/fifo']) execFileSync('mkfifo', [join(root, name)]);
  await new Promise<void>((done) => socket.listen(join(root, 'socket'), done));
  linkTo('plain.txt', 'to-plain');
  linkTo('sub', 'to-sub');
  linkTo('fifo', 'to-fifo');
  linkTo('../outside/secret.txt', 'out');
  linkTo(join(outside, 'secret.txt'), 'out-absolute');
  linkTo('../outside', 'out-folder');
  linkTo('out', 'out-twice');
  linkTo('nowhere', 'dangling');
  linkTo('loop', 'loop');
  linkTo('/dev/zero', 'zero');
  linkTo('/dev/tty', 'tty');
  linkTo('/proc/self/environ', 'environ');
  linkTo('/', 'top');
  symlinkSync(root, join(top, 'root-link'));
});
afterAll(() => {
  socket.close();
  rmSync(top, { recursive: true, force: true });
});

const readers: [string, (name: string, options?: Partial<ReadOptions>) => Promise<Buffer | object>][] = [
  ['readRegular', (name, options) => readRegular(join(root, name), { root, maxBytes: 4_096, ...options })],
  [
    'readRegularSync',
    async (name, options) => readRegularSync(join(root, name), { root, maxBytes: 4_096, ...options }),
  ],
];

/** Puts a folder aside, a link in its place, and both back, as fast as it can, until it is killed. */
const SWAP = `const { renameSync, symlinkSync } = require('node:fs');
  const [name, target] = process.argv.slice(1); symlinkSync(target, name + '.link'); process.stdout.write('started');
  for (const parent = process.ppid; process.ppid === parent; ) {
    renameSync(name, name + '.aside'); renameSync(name + '.link', name);
    renameSync(name, name + '.link'); renameSync(name + '.aside', name); }`;

it.skipIf(!DESCRIPTORS_HAVE_PATHS).each([
  ['readRegular', readRegular],
  ['readRegularSync', async (path: string, options: ReadOptions) => readRegularSync(path, options)],
])('%s stays in an open root while a link takes the place of its name [safety 19]', async (_name, read) => {
  const name = join(top, 'swapped');
  put(join(name, 'secret.txt'), 'inside');
  const fd = openSync(name, constants.O_RDONLY);
  const child = spawn(process.execPath, ['-e', SWAP, name, outside], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  const held = `/proc/self/fd/${fd}`;
  const told = new Set<string>();
  try {
    for (let turn = 0; turn < 3_000; turn += 1) {
      const answer = await read(join(held, 'secret.txt'), { root: held, links: 'none', maxBytes: 100 });
      told.add(isRefused(answer) ? answer.refused : String(answer));
    }
  } finally {
    child.kill('SIGKILL');
    await once(child, 'exit');
    closeSync(fd);
    for (const path of [name, `${name}.aside`, `${name}.link`])
      rmSync(path, { recursive: true, force: true });
  }
  // `outside`: it was moved between two checks of its location.
  expect([...told].filter((one) => one !== 'inside' && one !== 'outside')).toEqual([]);
  expect(told).toContain('inside');
});

describe.each(readers)('%s', (_name, read) => {
  it.each([
    ['plain.txt', 'hello'],
    ['sub/deep.txt', 'deep'],
    ['empty.txt', ''],
    ['to-plain', 'hello'],
    ['to-sub/deep.txt', 'deep'],
  ])('reads %s', async (name, text) => {
    expect(String(await read(name))).toBe(text);
  });

  it.each([
    ['missing.txt', 'missing'],
    ['plain.txt/below', 'missing'],
    ['dangling', 'missing'],
    ['loop', 'outside'],
    ['fifo', 'not_regular'],
    ['sub/fifo', 'not_regular'],
    ['to-fifo', 'not_regular'],
    ['to-sub/fifo', 'not_regular'],
    ['socket', 'not_regular'],
    ['sub', 'not_regular'],
    ['zero', 'not_regular'],
    ['tty', 'not_regular'],
    ['environ', 'not_regular'],
    ['out', 'outside'],
    ['out-absolute', 'outside'],
    ['out-twice', 'outside'],
    ['out-folder/secret.txt', 'outside'],
    ['sub/../../outside/secret.txt', 'outside'],
    [`top${join(outside, 'secret.txt')}`, 'outside'],
    ['large.txt', 'too_large'],
  ])('refuses %s immediately as %s, without any content [safety 22]', async (name, refused) => {
    expect(await read(name)).toMatchObject({ refused });
  });

  it('follows no link if links are not allowed [safety 22]', async () => {
    for (const name of ['to-plain', 'to-sub/deep.txt', 'out', 'out-folder/secret.txt'])
      expect(await read(name, { links: 'none' })).toMatchObject({ refused: 'outside' });
    expect(String(await read('sub/deep.txt', { links: 'none' }))).toBe('deep');
  });

  it('reads the beginning of a larger file if a part is enough', async () => {
    expect(String(await read('large.txt', { cut: true }))).toBe('x'.repeat(4_096));
  });

  it('reads a file of exactly the maximum size', async () => {
    expect(String(await read('plain.txt', { maxBytes: 5 }))).toBe('hello');
    expect(await read('plain.txt', { maxBytes: 4 })).toMatchObject({ refused: 'too_large' });
  });
});

it('accepts a folder that a link leads to', async () => {
  const given = join(top, 'root-link');
  expect(
    await readRegularText(join(given, 'plain.txt'), { root: given, maxBytes: 10, links: 'none' }),
  ).toEqual({
    text: 'hello',
  });
});

it('refuses devices and kernel files, even without a root [safety 22]', async () => {
  for (const path of [
    '/dev/zero',
    '/dev/random',
    '/proc/self/environ',
    '/proc/self/status',
    '/sys/kernel/mm',
  ])
    expect(await readRegular(path, { root: null, maxBytes: 10 })).toMatchObject({ refused: 'not_regular' });
  expect(String(await readRegular(join(root, 'out'), { root: null, maxBytes: 10 }))).toBe('CANARY');
});

it('reads at most the limit of a growing file [safety 22]', async () => {
  const path = join(root, 'growing.txt');
  put(path, 'x');
  const file = await openRegular(path, { root });
  if (isRefused(file)) throw new Error(file.refused);
  await file.close();
  put(path, 'x'.repeat(100_000));
  expect(await readRegular(path, { root, maxBytes: 1_000 })).toMatchObject({ refused: 'too_large' });
});

it('does not block the file system while hundreds of pipes are requested [safety 22]', async () => {
  const asked = Array.from({ length: 300 }, () => readRegular(join(root, 'fifo'), { root, maxBytes: 10 }));
  expect(await readFile(join(root, 'plain.txt'), 'utf8')).toBe('hello');
  for (const answer of await Promise.all(asked)) expect(answer).toEqual({ refused: 'not_regular', code: '' });
});

it('never opens a pipe, so that no writer gets through [safety 22]', async () => {
  await readRegular(join(root, 'fifo'), { root, maxBytes: 10 });
  expect(() => closeSync(openSync(join(root, 'fifo'), constants.O_WRONLY | constants.O_NONBLOCK))).toThrow(
    'ENXIO',
  );
});

describe('listRegular', () => {
  it('lists a directory up to a limit', async () => {
    const all = await listRegular(join(root, 'sub'), { root, maxEntries: 10 });
    expect(isRefused(all) ? all : all.entries.map(({ name }) => name).sort()).toEqual(['deep.txt', 'fifo']);
    expect(await listRegular(join(root, 'sub'), { root, maxEntries: 1 })).toMatchObject({ more: true });
  });

  it('lists nothing outside, and no files [safety 22]', async () => {
    for (const [name, refused] of [
      ['out-folder', 'outside'],
      ['top/etc', 'outside'],
      ['plain.txt', 'missing'],
      ['fifo', 'missing'],
    ] as const)
      expect(await listRegular(join(root, name), { root, maxEntries: 10 })).toMatchObject({ refused });
  });
});

it.skipIf(process.platform !== 'linux')(
  'lists and opens names that are not UTF-8 by their text [safety 31]',
  async () => {
    const bytes = (name: string) => Buffer.concat([Buffer.from(`${root}/`), Buffer.from(name, 'latin1')]);
    mkdirSync(bytes('odd\xe4'));
    for (const name of ['odd\xe4/b\xff', 'odd\xe4/b\\xff'])
      writeFileSync(bytes(name), name.includes('\xff') ? 'byte' : 'text');
    const folder = join(root, 'odd\\xe4');
    for (const [path, within] of [
      [folder, root],
      [folder, folder],
    ] as const) {
      const listed = await listRegular(path, { root: within, links: 'none', maxEntries: 10 });
      const names = isRefused(listed) ? [] : listed.entries.map(({ name }) => name).sort();
      expect(names).toEqual(['b\\x5cxff', 'b\\xff']);
      for (const [name, text] of [
        ['b\\xff', 'byte'],
        ['b\\x5cxff', 'text'],
      ] as const) {
        const options = { root: within, links: 'none', maxBytes: 10 } as const;
        expect(await readRegularText(join(path, name), options)).toEqual({ text });
        expect(String(readRegularSync(join(path, name), options))).toBe(text);
      }
    }
    rmSync(bytes('odd\xe4'), { recursive: true });
  },
);
