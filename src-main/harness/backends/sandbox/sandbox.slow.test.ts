import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { describeBackend } from '../backend.contract';
import { isSandboxBackend } from '../commands';
import { PermissionBackend } from '../policy/permissions';
import { bareBin, hasBusybox, type LocalBoxOptions, localBox } from '../testing/local-box';
import { SandboxBackend, type SandboxClient } from './sandbox';
import { found, makeFolder, noting, setUp } from './testing/box';

const boxes: [string, LocalBoxOptions][] = [
  ['sh', {}],
  ...(hasBusybox
    ? [['busybox sh', { shell: 'busybox', args: ['sh'] }] satisfies [string, LocalBoxOptions]]
    : []),
];

for (const [title, options] of boxes)
  describeBackend(`SandboxBackend on ${title}`, async () => {
    const root = makeFolder();
    return {
      backend: new SandboxBackend(localBox(options), { root }),
      forgetsCreation: true,
      close: () => rmSync(root, { recursive: true, force: true }),
    };
  });

describeBackend('SandboxBackend on a box without base64, checksums and readlink', async () => {
  const [root, bin] = [makeFolder(), makeFolder()];
  bareBin(bin);
  return {
    backend: new SandboxBackend(localBox({ path: bin }), { root }),
    forgetsCreation: true,
    close: () => {
      for (const folder of [root, bin]) rmSync(folder, { recursive: true, force: true });
    },
  };
});

describe('SandboxBackend', () => {
  it('runs commands unchanged and returns their status [H22, H23]', async () => {
    const { backend } = setUp();
    expect(await backend.execute('echo out; echo err >&2; exit 42')).toEqual({
      output: 'out\nerr\n',
      exitCode: 42,
      truncated: false,
    });
    expect(isSandboxBackend(backend)).toBe(true);
  });

  it('is not a sandbox until it has an id [H1]', () => {
    expect(isSandboxBackend(new SandboxBackend({ ...localBox(), id: '' }))).toBe(false);
  });

  it('never runs a path or pattern as a command', async () => {
    const { root, backend } = setUp();
    const names = ["/it's $(touch x) `touch x`", '/a\nb', '/-rf', '/"; touch x; "', '/end\n'];
    for (const name of names) {
      expect((await backend.write(name, `text of ${name}`)).error).toBeUndefined();
      expect((await backend.readRaw(name)).data?.content).toBe(`text of ${name}`);
      expect((await backend.read(name)).content).toBe(`text of ${name}`.replace(/\n$/, ''));
      expect(await backend.realPath(name)).toBe(name);
    }
    expect(found(await backend.ls('/'))).toEqual([...names].sort());
    expect(found(await backend.glob('*'))).toEqual([...names].sort());
    expect((await backend.grep("'; touch x; '")).matches).toEqual([]);
    expect(found(await backend.grep("it's $(touch x)"))).toEqual([names[0]]);
    expect(found(await backend.grep('text of /-rf'))).toEqual(['/-rf']);
    for (const name of names) expect((await backend.delete(name)).error).toBeUndefined();
    expect(existsSync(join(root, 'x'))).toBe(false);
    expect((await backend.ls('/')).files).toEqual([]);
  });

  it('lists files from before 1970', async () => {
    const { root, backend } = setUp();
    writeFileSync(join(root, 'a'), '');
    utimesSync(join(root, 'a'), new Date(0), new Date('1969-12-31T00:00:00Z'));
    expect((await backend.ls('/')).files).toMatchObject([
      { path: '/a', modified_at: '1969-12-31T00:00:00.000Z' },
    ]);
  });

  it('leaves nothing beside a file, and deletes a link without its target', async () => {
    const { root, backend } = setUp();
    await backend.write('/d/a', 'one');
    await backend.edit('/d/a', 'one', 'two');
    await backend.write('/d/a', 'three', { createOnly: true });
    await backend.write('/d/a', 'four', { expectedVersion: 'f'.repeat(64) });
    symlinkSync(join(root, 'd'), join(root, 'link'));
    await backend.delete('/link');
    expect(readdirSync(root)).toEqual(['d']);
    expect(readdirSync(join(root, 'd'))).toEqual(['a']);
  });

  it('cuts a page in the sandbox, in one command and without fetching the file', async () => {
    const { root, asked, client } = setUp();
    const moved: string[] = [];
    const backend = new SandboxBackend(noting(client, moved), { root });
    const lines = Array.from({ length: 50_000 }, (_, n) => `line ${n}\r`);
    writeFileSync(join(root, 'big.txt'), `\uFEFF${lines.join('\n')}\n`);
    const page = await backend.read('/big.txt', 40_000, 2);
    expect({ ...page, version: page.version?.length }).toEqual({
      content: 'line 40000\nline 40001',
      totalLines: 50_000,
      startLine: 40_001,
      endLine: 40_002,
      nextOffset: 40_002,
      mimeType: 'text/plain',
      size: statSync(join(root, 'big.txt')).size,
      version: 64,
    });
    expect(await backend.read('/big.txt', 49_999)).toMatchObject({
      content: 'line 49999',
      totalLines: 50_000,
    });
    expect((await backend.read('/big.txt', 0, 1)).content).toBe('line 0');
    expect([asked.length, moved]).toEqual([3, []]);
  });

  it('ends a page that grows too long, and continues within a line by columns', async () => {
    const { root, backend } = setUp();
    writeFileSync(join(root, 'wide.txt'), `${'a'.repeat(300_000)}\n${'b'.repeat(300_000)}\nend`);
    const first = await backend.read('/wide.txt');
    expect([first.content?.length, first.nextOffset, first.totalLines]).toEqual([300_000, 1, 3]);
    const long = 'ü'.repeat(700_000);
    writeFileSync(join(root, 'long.txt'), `x${long}\nend`);
    let text = '';
    let at: { offset: number; column: number } | null = { offset: 0, column: 0 };
    while (at !== null) {
      const page = await backend.read('/long.txt', at.offset, 1, { column: at.column });
      text += page.content;
      at = page.nextColumn === undefined ? null : { offset: 0, column: page.nextColumn };
    }
    expect(text === `x${long}`).toBe(true);
    expect((await backend.read('/long.txt', 0, 1)).content).toMatch(
      /ü… \[line 1 is longer than 512000 bytes/,
    );
  });

  it("returns a file whole if a command's output cannot carry it", async () => {
    const { root, client } = setUp();
    const short: SandboxClient = {
      ...client,
      execute: async (command) => {
        const answer = await client.execute(command);
        return { ...answer, output: answer.output.slice(0, 200), truncated: answer.output.length > 200 };
      },
    };
    writeFileSync(join(root, 'a.txt'), Array.from({ length: 500 }, (_, n) => `line ${n}`).join('\n'));
    const backend = new SandboxBackend(short, { root });
    expect(await backend.read('/a.txt', 400, 2)).toMatchObject({
      content: 'line 400\nline 401',
      nextOffset: 402,
      totalLines: 500,
    });
  });

  it('sends a small change within a command and uploads a large one', async () => {
    const { root, client } = setUp();
    const moved: string[] = [];
    const backend = new SandboxBackend(noting(client, moved), { root });
    await backend.write('/small.txt', 'x'.repeat(50_000));
    expect(moved).toEqual([]);
    const large = `start\r\n${'y'.repeat(60_000)}`;
    await backend.write('/d/large.txt', large);
    expect(moved).toEqual([expect.stringMatching(/^up .*\/d\/\.deepdesk-/)]);
    expect((await backend.edit('/d/large.txt', 'start\n', 'begin\n')).error).toBeUndefined();
    expect(readFileSync(join(root, 'd/large.txt'), 'utf8')).toBe(large.replace('start', 'begin'));
    expect(moved.filter((one) => one.startsWith('up'))).toHaveLength(2);
    expect(readdirSync(join(root, 'd'))).toEqual(['large.txt']);
  });

  const ENCODED: [name: string, box: string, bytes: (text: string) => Buffer][] = [
    ['UTF-8 with a byte order mark', 'a box', (text) => Buffer.from(`\uFEFF${text}`)],
    ['UTF-16', 'a box', (text) => Buffer.from(`\uFEFF${text}`, 'utf16le')],
    ['Windows-1252', 'a bare box', (text) => Buffer.from(text, 'latin1')],
  ];

  it.each(ENCODED)(
    'reads, edits and replaces text in %s on %s, and keeps its form',
    async (_, box, encoded) => {
      const bin = makeFolder();
      bareBin(bin);
      onTestFinished(() => rmSync(bin, { recursive: true, force: true }));
      const options = box === 'a box' ? {} : { path: bin };
      const { root, backend } = setUp(options);
      const at = join(root, 'a.txt');
      writeFileSync(at, encoded('caf\u00e9\r\ntwo\r\nthree\r\n'));
      const page = await backend.read('/a.txt', 1, 1);
      expect(page).toMatchObject({ content: 'two', totalLines: 3, nextOffset: 2, size: statSync(at).size });
      expect((await backend.readRaw('/a.txt')).data?.content).toContain('caf\u00e9\r\ntwo');
      const expectedVersion = page.version ?? '';
      const edited = await backend.edit('/a.txt', 'caf\u00e9\ntwo', '\u00fcber', false, { expectedVersion });
      expect(edited).toMatchObject({ occurrences: 1 });
      expect(readFileSync(at)).toEqual(encoded('\u00fcber\r\nthree\r\n'));
      for (const rest of ['', `${'y'.repeat(60_000)}\n`]) {
        const { version } = await backend.write('/a.txt', `n\u00e9w\n${rest}`);
        expect(readFileSync(at)).toEqual(encoded(`n\u00e9w\n${rest}`.replaceAll('\n', '\r\n')));
        expect(version).toBe((await backend.read('/a.txt')).version);
      }
      expect(await backend.write('/a.txt', 'stale', { expectedVersion })).toMatchObject({ kind: 'stale' });
      expect(readdirSync(root)).toEqual(['a.txt']);
    },
  );

  it('stores nothing in an encoding that lacks a character, and says so', async () => {
    const { root, backend } = setUp();
    const before = Buffer.from('caf\u00e9', 'latin1');
    writeFileSync(join(root, 'a.txt'), before);
    const refused = { kind: 'invalid', error: expect.stringContaining('cannot hold') };
    expect(await backend.write('/a.txt', 'snow \u2603')).toMatchObject(refused);
    expect(await backend.edit('/a.txt', 'caf', '\u2603')).toMatchObject(refused);
    expect(readFileSync(join(root, 'a.txt'))).toEqual(before);
  });

  it('does not overwrite a file that changed elsewhere during an edit', async () => {
    const { root, client } = setUp();
    writeFileSync(join(root, 'a.txt'), 'one');
    const slow: SandboxClient = {
      ...client,
      downloadFiles: async (paths) => {
        const got = await client.downloadFiles(paths);
        writeFileSync(join(root, 'a.txt'), 'one, and theirs');
        return got;
      },
    };
    expect((await new SandboxBackend(slow, { root }).edit('/a.txt', 'one', 'two')).kind).toBe('stale');
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('one, and theirs');
  });

  it('lets only one of several writers create a file', async () => {
    const { root, backend } = setUp();
    const others = Array.from({ length: 4 }, (_, n) => {
      const client = { ...localBox(), id: `other-${n}` };
      return new SandboxBackend(client, { root });
    });
    const answers = await Promise.all(
      [backend, ...others].map((one, n) => one.write('/only', `${n}`, { createOnly: true })),
    );
    expect(answers.map(({ kind }) => kind ?? 'made').sort()).toEqual([
      'conflict',
      'conflict',
      'conflict',
      'conflict',
      'made',
    ]);
    expect(readdirSync(root)).toEqual(['only']);
  });

  it('keeps the mode of a file, and writes to the target of a link', async () => {
    const { root, backend } = setUp();
    writeFileSync(join(root, 'run.sh'), 'one');
    chmodSync(join(root, 'run.sh'), 0o751);
    mkdirSync(join(root, 'bin'));
    symlinkSync('../run.sh', join(root, 'bin/run'));
    await backend.edit('/run.sh', 'one', 'two');
    await backend.write('/bin/run', 'three');
    await backend.write('/bin/run', `${'x'.repeat(60_000)}`);
    expect(statSync(join(root, 'run.sh')).mode & 0o777).toBe(0o751);
    expect(statSync(join(root, 'run.sh')).size).toBe(60_000);
    expect(realpathSync(join(root, 'bin/run'))).toBe(join(realpathSync(root), 'run.sh'));
    expect(readdirSync(root).sort()).toEqual(['bin', 'run.sh']);
    expect(readdirSync(join(root, 'bin'))).toEqual(['run']);
  });

  it.skipIf(process.getuid?.() !== 0)(
    'keeps the owner and group of a file (skipped: only root can give files away)',
    async () => {
      const { root, backend } = setUp();
      for (const text of ['two', 'x'.repeat(60_000)]) {
        writeFileSync(join(root, 'a.conf'), 'one');
        chownSync(join(root, 'a.conf'), 1234, 2345);
        chmodSync(join(root, 'a.conf'), 0o640);
        expect((await backend.edit('/a.conf', 'one', text)).error).toBeUndefined();
        const { uid, gid, mode } = statSync(join(root, 'a.conf'));
        expect([uid, gid, mode & 0o777]).toEqual([1234, 2345, 0o640]);
        rmSync(join(root, 'a.conf'));
      }
    },
  );

  it('does not replace a file that may not be written', async () => {
    const { root, backend } = setUp();
    writeFileSync(join(root, 'a.txt'), 'one');
    chmodSync(join(root, 'a.txt'), 0o444);
    const refused = { kind: 'denied', error: expect.stringContaining('is read-only') };
    expect(await backend.edit('/a.txt', 'one', 'two')).toMatchObject(refused);
    expect(await backend.write('/a.txt', 'x'.repeat(60_000))).toMatchObject(refused);
    expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('one');
    expect(readdirSync(root)).toEqual(['a.txt']);
  });

  it('lists links that lead nowhere', async () => {
    const { root, backend } = setUp();
    writeFileSync(join(root, 'a.txt'), 'one');
    symlinkSync('a.txt', join(root, 'good'));
    symlinkSync('nowhere', join(root, 'bad\nlink'));
    expect(found(await backend.ls('/'))).toEqual(['/a.txt', '/bad\nlink', '/good']);
  });

  it.skipIf(process.platform !== 'linux')(
    'reads a page of a line that does not fit in the memory of the sandbox (skipped: prlimit is for Linux)',
    async () => {
      const { root, backend } = setUp({ shell: 'prlimit', args: ['--as=150000000', '/bin/sh'] });
      writeFileSync(join(root, 'a.txt'), `first\n${'x'.repeat(200_000_000)}`);
      const page = await backend.read('/a.txt', 0, 10);
      expect(page).toMatchObject({ totalLines: 2, nextOffset: 1, content: 'first' });
      const next = await backend.read('/a.txt', 1, 10);
      expect(next).toMatchObject({ totalLines: 2, content: expect.stringMatching(/^x+/) });
    },
  );

  it('reports the target of a path, and applies rules to it', async () => {
    const { root, backend } = setUp();
    await backend.write('/secrets/k', 'secret');
    await backend.write('/open/a', 'open');
    symlinkSync('../secrets', join(root, 'open/pub'));
    symlinkSync('/etc', join(root, 'out'));
    symlinkSync('gone/deep', join(root, 'dangling'));
    const leads = async (path: string) => backend.realPath(path);
    expect(await leads('/open/a')).toBe('/open/a');
    expect(await leads('/open/pub/k')).toBe('/secrets/k');
    expect(await leads('/open/pub/new/deep')).toBe('/secrets/new/deep');
    expect(await leads('/')).toBe('/');
    expect(await leads('/out/passwd')).toBe('/../etc/passwd');
    expect(await leads('/dangling')).toBe('/../dangling');
    const ruled = new PermissionBackend(backend, [
      { operations: ['read', 'write'], paths: ['/secrets/**'], mode: 'deny' },
    ]);
    for (const path of ['/secrets/k', '/open/pub/k', '/out/passwd', '/dangling'])
      expect([path, (await ruled.read(path)).kind]).toEqual([path, 'denied']);
    expect((await ruled.write('/open/pub/new', 'x')).kind).toBe('denied');
    expect((await ruled.read('/open/a')).content).toBe('open');
  });

  it('treats a path as closed if the sandbox cannot tell where it leads', async () => {
    const bin = makeFolder();
    bareBin(bin);
    onTestFinished(() => rmSync(bin, { recursive: true, force: true }));
    const { root, backend } = setUp({ path: bin });
    await backend.write('/a', 'x');
    expect(await backend.realPath('/a')).toBe('/../a');
    symlinkSync('a', join(root, 'link'));
    expect((await backend.write('/link', 'y')).kind).toBe('denied');
    expect(readFileSync(join(root, 'a'), 'utf8')).toBe('x');
  });

  it('fetches a few files at once, however many there are', async () => {
    const { root, client } = setUp();
    const paths = Array.from({ length: 12 }, (_, n) => `/f${n}`);
    for (const path of paths) writeFileSync(join(root, path), path);
    let [running, most] = [0, 0];
    const counting: SandboxClient = {
      ...client,
      execute: async (command) => {
        running += 1;
        most = Math.max(most, running);
        const ran = await client.execute(command);
        running -= 1;
        return ran;
      },
    };
    const got = await new SandboxBackend(counting, { root }).downloadFiles([...paths, '/none']);
    expect(got.map(({ content }) => Buffer.from(content ?? []).toString())).toEqual([...paths, '']);
    expect(got.at(-1)?.error).toBe('file_not_found');
    expect(most).toBeLessThanOrEqual(4);
  });
});
