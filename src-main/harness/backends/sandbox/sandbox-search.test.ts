import { symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SandboxBackend, type SandboxClient } from './sandbox';
import { found, noting, setUp } from './testing/box';

describe('the search of SandboxBackend', () => {
  it('finds only files, hidden ones if the pattern names their dot, and links by their own names [H21]', async () => {
    const { root, backend } = setUp();
    for (const path of ['/src/a.ts', '/src/.env', '/.git/config', '/sub/.x/y.ts'])
      await backend.write(path, 'x');
    symlinkSync('a.ts', join(root, 'src/link.ts'));
    expect(found(await backend.glob('**'))).toEqual(['/src/a.ts']);
    expect(found(await backend.glob('.*'))).toEqual(['/src/.env']);
    await backend.write('/src/ü.md', 'y');
    // Without a locale, programs in a sandbox may see one character as several.
    expect(found(await backend.glob('?.md'))).toEqual(['/src/ü.md']);
    expect(found(await backend.glob('**/.*/**'))).toEqual(['/.git/config', '/sub/.x/y.ts']);
    expect(found(await backend.grep('x'))).toEqual(['/src/a.ts']);
    expect(found(await backend.grep('x', '/', '**/.env'))).toEqual(['/src/.env']);
  });

  it('stops at its file limit and reports that there are more', async () => {
    const { root, client } = setUp();
    const many: SandboxClient = {
      ...client,
      execute: (command) =>
        command.includes('find .')
          ? client.execute(
              `printf 'directory//\\n'; awk 'BEGIN { for (n = 0; n < 60000; n += 1) printf "./f%05d//\\n", n }' | head -n 50001`,
            )
          : client.execute(command),
    };
    const globbed = await new SandboxBackend(many, { root }).glob('*');
    expect([globbed.files?.length, globbed.truncated]).toEqual([50_000, true]);
    expect(globbed.files?.[0]).toEqual({ path: '/f00000', is_dir: false });
  });

  it('fetches no file for a search, and asks about no more once there is enough', async () => {
    const { root, client, asked } = setUp();
    for (let n = 0; n < 60; n += 1) writeFileSync(join(root, `f${1000 + n}`), n < 52 ? 'needle\n1' : 'hay');
    const moved: string[] = [];
    const backend = new SandboxBackend(noting(client, moved), { root });
    const all = await backend.grep('needle');
    expect(all.matches).toHaveLength(52);
    expect(await backend.grep('^n[e]+d\\w+$', '/', null, null, { regex: true })).toEqual(all);
    asked.length = 0;
    expect(await backend.grep('needle', '/', null, 3)).toEqual({
      matches: all.matches?.slice(0, 3),
      truncated: true,
    });
    expect([asked.length, moved]).toEqual([2, []]);
  });

  it('finds long lines, and skips files that turn out to be binary', async () => {
    const { root, backend } = setUp();
    const wide = 'x'.repeat(2_200_000);
    writeFileSync(join(root, 'a.txt'), `one\n${wide} needle 7\nneedle 8\n`);
    writeFileSync(join(root, 'b.txt'), Buffer.from('needle 9\n\0\nneedle 9\n'));
    writeFileSync(join(root, 'c.txt'), '\uFEFFneedle 10\r\nother\r\n');
    for (const [pattern, regex] of [
      ['needle', false],
      ['needle \\d+', true],
    ] as const) {
      const { matches = [] } = await backend.grep(pattern, '/', null, null, { regex });
      expect(matches.map(({ path, line }) => `${path}:${line}`)).toEqual([
        '/a.txt:2',
        '/a.txt:3',
        '/c.txt:1',
      ]);
      expect(matches.at(-1)?.text).toBe('needle 10');
    }
  });

  it('finds text in UTF-16 with a byte order mark, among other files and alone', async () => {
    const { root, backend } = setUp();
    const text = '\uFEFFone\r\nneedle é\r\n';
    writeFileSync(join(root, 'little.txt'), Buffer.from(text, 'utf16le'));
    writeFileSync(join(root, 'big.txt'), Buffer.from(text, 'utf16le').swap16());
    writeFileSync(join(root, 'plain.txt'), 'needle é\n');
    writeFileSync(join(root, 'empty.txt'), '');
    for (const pattern of ['needle é', 'd', 'é'])
      expect(found(await backend.grep(pattern))).toEqual(['/big.txt', '/little.txt', '/plain.txt']);
    const line = { path: '/big.txt', line: 2, text: 'needle é' };
    expect((await backend.grep('needle', '/big.txt')).matches).toEqual([line]);
    const options = { regex: true };
    expect((await backend.grep('^n\\w+ é$', '/big.txt', null, null, options)).matches).toEqual([line]);
    expect(found(await backend.grep('^one$', '/', null, null, options))).toEqual(['/big.txt', '/little.txt']);
  });

  it('takes no half answer for a whole one if its shell is killed', async () => {
    const { root, client } = setUp();
    for (const name of ['a.txt', 'b.txt']) writeFileSync(join(root, name), 'needle');
    let killed = /find /;
    const dying: SandboxClient = {
      ...client,
      execute: async (command) => {
        const ran = await client.execute(command);
        if (!killed.test(command)) return ran;
        // All but the last record.
        const output = ran.output.replace(/[^\n]*\n?$/, '');
        return { ...ran, output, exitCode: 137 };
      },
    };
    const backend = new SandboxBackend(dying, { root });
    for (const failed of [backend.ls('/'), backend.glob('*'), backend.grep('needle')])
      expect(await failed).toMatchObject({ kind: 'network' });
    killed = /grep -n/;
    expect(found(await backend.grep('needle'))).toEqual(['/a.txt', '/b.txt']);
    killed = /mv -f|rm -rf/;
    const unknown = { kind: 'network', error: expect.stringContaining('not known whether') };
    expect(await backend.write('/a.txt', 'new')).toMatchObject(unknown);
    expect(await backend.delete('/b.txt')).toMatchObject(unknown);
  });

  it('does not fetch a file that is too large to be held', async () => {
    const { root, client } = setUp();
    const moved: string[] = [];
    const backend = new SandboxBackend(noting(client, moved), { root });
    writeFileSync(join(root, 'disk.bin'), '');
    truncateSync(join(root, 'disk.bin'), 3 * 1024 ** 3);
    expect(await backend.readRaw('/disk.bin')).toMatchObject({ kind: 'too_large' });
    expect((await backend.downloadFiles(['/disk.bin']))[0]).toMatchObject({ content: null });
    expect((await backend.edit('/disk.bin', 'a', 'b')).kind).toBe('too_large');
    expect(moved).toEqual([]);
  });

  it('returns what a search had found when its time ran out, and fails if the sandbox does not answer', async () => {
    const { root, client } = setUp();
    await new SandboxBackend(client, { root }).write('/a.txt', 'needle');
    const late: SandboxClient = {
      ...client,
      execute: async (command, options) =>
        options?.timeoutMs === undefined
          ? client.execute(command)
          : { output: 'directory//\n./a.txt//\n./b', exitCode: 124, truncated: false, timedOut: true },
    };
    const backend = new SandboxBackend(late, { root });
    expect(await backend.grep('needle', '/', null, null, { timeoutMs: 5 })).toEqual({
      matches: [{ path: '/a.txt', line: 1, text: 'needle' }],
      truncated: true,
    });
    expect(await backend.glob('*', '/', { timeoutMs: 5 })).toEqual({
      files: [{ path: '/a.txt', is_dir: false }],
      truncated: true,
    });
    const silent: SandboxClient = {
      ...client,
      execute: () => ({ output: 'Error: no such sandbox', exitCode: 1, truncated: false }),
    };
    const gone = new SandboxBackend(silent, { root });
    expect((await gone.read('/a.txt')).kind).toBe('network');
    expect((await gone.ls('/')).kind).toBe('network');
    expect((await gone.write('/a.txt', 'x')).kind).toBe('denied');
    expect((await gone.delete('/a.txt')).kind).toBe('denied');
    expect(await gone.realPath('/a.txt')).toBe('/../a.txt');
  });
});
