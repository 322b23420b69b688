import {
  chmodSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { inArena } from './testing/arena';
import { inChild, prepareChildren } from './testing/child';

const MB = 1024 * 1024;
/** Maximum names listed of one folder. */
const BOUND = 200_000;

/** A folder with many names for few files: faster to make, and a file system allows only so many names per file. */
function makeMany(folder: string, count: number): void {
  mkdirSync(folder);
  for (let n = 0; n < count; n += 1) {
    const path = join(folder, `n${n}`);
    if (n % 10_000 === 0) writeFileSync(path, '');
    else linkSync(join(folder, `n${n - (n % 10_000)}`), path);
  }
}

describe('a change to a file that was read before', () => {
  it('does not overwrite a file that changed after it was read [P89]', async () => {
    await inArena({
      given: ({ root }) => {
        writeFileSync(join(root, 'a.txt'), 'one');
        writeFileSync(join(root, 'big.txt'), 'line\n'.repeat(300_000));
      },
      run: async ({ fs, root }) => {
        for (const path of ['/a.txt', '/big.txt']) {
          const version = (await fs.read(path, 0, 1)).version ?? '';
          const text = readFileSync(join(root, path), 'utf8');
          // The same length as before, so that only the content differs.
          writeFileSync(join(root, path), text.replace(/.$/m, '?'));
          const expected = { expectedVersion: version };
          const kinds = [
            (await fs.edit(path, 'line', 'x', true, expected)).kind,
            (await fs.write(path, 'x', expected)).kind,
          ];
          expect([path, kinds]).toEqual([path, ['stale', 'stale']]);
          const now = (await fs.read(path, 0, 1)).version ?? '';
          const written = await fs.write(path, `${text}!`, { expectedVersion: now });
          expect(written).toEqual({ path, filesUpdate: null, version: (await fs.read(path, 0, 1)).version });
          expect((await fs.edit(path, 'x', 'y', false, { expectedVersion: now })).kind).toBe('stale');
        }
      },
    });
  });

  it('treats a version that was never read as a change [P91]', async () => {
    await inArena({
      given: ({ root }) => writeFileSync(join(root, 'a.txt'), 'one'),
      run: async ({ fs }) => {
        for (const expectedVersion of ['', 'never', '0-0-0-0-0'])
          expect((await fs.edit('/a.txt', 'one', 'two', false, { expectedVersion })).kind).toBe('stale');
        expect((await fs.read('/a.txt')).content).toBe('one');
      },
    });
  });

  it('does not recreate a file that was deleted after it was read [P92]', async () => {
    await inArena({
      given: ({ root }) => {
        mkdirSync(join(root, 'd'));
        writeFileSync(join(root, 'd', 'a.txt'), 'one');
      },
      run: async ({ fs, root }) => {
        const expectedVersion = (await fs.read('/d/a.txt')).version ?? '';
        await fs.delete('/d');
        expect((await fs.edit('/d/a.txt', 'one', 'two', false, { expectedVersion })).kind).toBe('not_found');
        expect((await fs.edit('/d/a.txt', 'one', 'two')).kind).toBe('not_found');
        expect((await fs.write('/d/a.txt', 'two', { expectedVersion })).kind).toBe('not_found');
        expect(readdirSync(root)).toEqual(['.beside']);
      },
    });
  });

  it('matches \\n in a file with CR LF, and keeps the CR LF [P94]', async () => {
    await inArena({
      given: ({ root }) => writeFileSync(join(root, 'a.txt'), 'one\r\ntwo\r\nthree\r\n'),
      run: async ({ fs, root }) => {
        expect((await fs.edit('/a.txt', 'one\ntwo', '1\n2\n2b')).occurrences).toBe(1);
        expect((await fs.edit('/a.txt', 'three', '3\n4')).occurrences).toBe(1);
        expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('1\r\n2\r\n2b\r\n3\r\n4\r\n');
        await fs.write('/a.txt', 'all\nnew\n');
        expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('all\r\nnew\r\n');
      },
    });
  });

  it('leaves mixed line endings elsewhere in the file unchanged [P95]', async () => {
    await inArena({
      given: ({ root }) => writeFileSync(join(root, 'a.txt'), 'a\nb\r\nc\rd\n\r\ne'),
      run: async ({ fs, root }) => {
        expect((await fs.edit('/a.txt', 'b\nc', 'B\nC')).occurrences).toBe(1);
        expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('a\nB\r\nC\rd\n\r\ne');
      },
    });
  });

  it('keeps the byte order mark [P96]', async () => {
    await inArena({
      given: ({ root }) => writeFileSync(join(root, 'a.txt'), '\ufeffone\n'),
      run: async ({ fs, root }) => {
        const text = () => readFileSync(join(root, 'a.txt'), 'utf8');
        expect((await fs.read('/a.txt')).content).toBe('one');
        await fs.edit('/a.txt', 'one', 'two');
        expect(text()).toBe('\ufefftwo\n');
        await fs.write('/a.txt', 'three\n');
        expect(text()).toBe('\ufeffthree\n');
        await fs.write('/a.txt', '\ufefffour\n');
        expect(text()).toBe('\ufefffour\n');
      },
    });
  });

  it('does not treat content with a NUL as text [P99]', async () => {
    await inArena({
      given: ({ root }) => writeFileSync(join(root, 'a.txt'), 'text \0 text\n'),
      run: async ({ fs, root }) => {
        expect(await fs.read('/a.txt')).toMatchObject({
          content: new Uint8Array(readFileSync(join(root, 'a.txt'))),
          mimeType: 'application/octet-stream',
        });
        expect((await fs.edit('/a.txt', 'text \0', 'x')).kind).toBe('binary');
        expect(await fs.grep('text')).toEqual({ matches: [], truncated: false });
        expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('text \0 text\n');
      },
    });
  });

  it('reads an empty file, and fills it with an edit [P100]', async () => {
    await inArena({
      given: ({ root }) => writeFileSync(join(root, 'a.txt'), ''),
      run: async ({ fs }) => {
        expect(await fs.read('/a.txt')).toMatchObject({ content: '', totalLines: 0, size: 0 });
        expect((await fs.edit('/a.txt', 'x', 'y')).kind).toBe('invalid');
        expect((await fs.edit('/a.txt', '', 'text')).occurrences).toBe(0);
        expect((await fs.read('/a.txt')).content).toBe('text');
      },
    });
  });

  it('keeps a missing final newline missing [P101]', async () => {
    await inArena({
      given: ({ root }) => writeFileSync(join(root, 'a.txt'), 'one\ntwo'),
      run: async ({ fs, root }) => {
        await fs.edit('/a.txt', 'two', '2');
        expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('one\n2');
      },
    });
  });

  it('reports the number of occurrences when the text to replace is not unique [P103]', async () => {
    await inArena({
      given: ({ root }) => writeFileSync(join(root, 'a.txt'), 'one two one two one'),
      run: async ({ fs }) => {
        expect(await fs.edit('/a.txt', 'one', '1')).toEqual({
          error: expect.stringMatching(/^Error: String 'one' has multiple occurrences \(appears 3 times\)/),
          kind: 'invalid',
        });
        expect((await fs.edit('/a.txt', 'one', '1', true)).occurrences).toBe(3);
        expect((await fs.read('/a.txt')).content).toBe('1 two 1 two 1');
      },
    });
  });

  it('refuses to replace an empty string in a file with content [P104]', async () => {
    await inArena({
      given: ({ root }) => writeFileSync(join(root, 'a.txt'), 'one'),
      run: async ({ fs }) =>
        expect(await fs.edit('/a.txt', '', 'x')).toEqual({
          error: 'Error: oldString cannot be empty when file has content',
          kind: 'invalid',
        }),
    });
  });
});

describe('size', () => {
  it('reads pages of a sparse 5 GB file in 100 MB of memory [P105]', async () => {
    await inArena({
      given: async ({ root }) => {
        await prepareChildren();
        const lines = Array.from({ length: 20_000 }, (_, n) => `line ${n}`).join('\n');
        writeFileSync(join(root, 'huge.log'), lines);
        truncateSync(join(root, 'huge.log'), 5 * 1024 * MB);
      },
      run: async ({ root, fs }) => {
        const { pages, kinds, grown } = (await inChild<{ pages: unknown[]; kinds: unknown[]; grown: number }>(
          root,
          `const fs = new FilesystemBackend({ rootDir: root });
             const before = process.resourceUsage().maxRSS;
             const pages = [await fs.read('/huge.log', 10_000, 2), await fs.read('/huge.log', 0, 1)];
             const kinds = [(await fs.readRaw('/huge.log')).kind, (await fs.edit('/huge.log', 'line 1', 'x')).kind,
               (await fs.downloadFiles(['/huge.log']))[0].content];
             return { pages, kinds, grown: (process.resourceUsage().maxRSS - before) / 1024 };`,
        )) ?? { pages: [], kinds: [], grown: Number.NaN };
        expect(pages).toMatchObject([
          { content: 'line 10000\nline 10001', nextOffset: 10_002, size: 5 * 1024 * MB },
          { content: 'line 0', nextOffset: 1 },
        ]);
        expect(kinds).toEqual(['too_large', 'too_large', null]);
        expect(grown).toBeLessThan(100);
        expect((await fs.read('/huge.log', 0, 1)).content).toBe('line 0');
      },
      within: 20_000,
    });
  }, 60_000);

  it('truncates a 200 MB line and says so [P106]', async () => {
    await inArena({
      given: async ({ root }) => {
        const file = await open(join(root, 'line.txt'), 'w');
        const part = Buffer.alloc(MB, 'x');
        for (let n = 0; n < 200; n += 1) await file.write(part);
        await file.close();
      },
      run: async ({ fs }) => {
        const before = process.memoryUsage().rss;
        const page = await fs.read('/line.txt');
        expect(page.content).toMatch(/^x{65536}… \[line 1 is longer than 65536 bytes and is cut here\]$/);
        expect(page).toMatchObject({ nextOffset: 1, nextColumn: 65_536, size: 200 * MB });
        const far = await fs.read('/line.txt', 0, 1, { column: 199 * MB });
        expect(far).toMatchObject({ content: 'x'.repeat(65_536), nextColumn: 199 * MB + 65_536 });
        expect((await fs.edit('/line.txt', 'xx', 'y')).kind).toBe('too_large');
        expect((await fs.readRaw('/line.txt')).kind).toBe('too_large');
        expect(process.memoryUsage().rss - before).toBeLessThan(100 * MB);
      },
    });
  }, 60_000);

  it('lists a folder of many names page by page [P108]', async () => {
    await inArena({
      given: ({ root }) => makeMany(join(root, 'many'), 20_000),
      run: async ({ fs }) => {
        const names = Array.from({ length: 20_000 }, (_, n) => `/many/n${n}`).sort();
        const first = await fs.ls('/many');
        expect({ ...first, files: first.files?.map((file) => file.path) }).toEqual({
          files: names.slice(0, 10_000),
          total: 20_000,
          truncated: true,
          nextOffset: 10_000,
        });
        const last = await fs.ls('/many', { offset: 10_000 });
        expect({ ...last, files: last.files?.map((file) => file.path) }).toEqual({
          files: names.slice(10_000),
          total: 20_000,
        });
      },
    });
  }, 60_000);

  it('reports that there are more names than it lists [P108]', async () => {
    await inArena({
      given: ({ root }) => makeMany(join(root, 'many'), BOUND + 1),
      within: 20_000,
      run: async ({ fs }) => {
        const first = await fs.ls('/many');
        expect({ ...first, files: first.files?.length }).toEqual({
          files: 10_000,
          truncated: true,
          nextOffset: 10_000,
        });
        const page = await fs.ls('/many', { offset: BOUND - 10, limit: 5 });
        expect({ ...page, files: page.files?.length }).toEqual({
          files: 5,
          truncated: true,
          nextOffset: BOUND - 5,
        });
        const end = await fs.ls('/many', { offset: BOUND - 5 });
        expect({ ...end, files: end.files?.length }).toEqual({ files: 5, truncated: true });
      },
    });
  }, 120_000);

  it('refuses to write 50 MB [P109]', async () => {
    const content = Buffer.alloc(50 * MB, 'x').toString();
    const bytes = new Uint8Array(50 * MB);
    await inArena({
      given: ({ root }) => writeFileSync(join(root, 'a.txt'), 'one'),
      run: async ({ fs, root }) => {
        expect(await fs.write('/a.txt', content)).toEqual({
          error: "'/a.txt' is too large to be handled whole (50 MB, at most 10 MB).",
          kind: 'too_large',
        });
        expect((await fs.edit('/a.txt', 'one', content)).kind).toBe('too_large');
        expect((await fs.uploadFiles([['/b', bytes]]))[0]?.error).not.toBe(null);
        expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('one');
        expect(readdirSync(root).sort()).toEqual(['.beside', 'a.txt']);
      },
    });
  });
});

describe('the mode of a file', () => {
  it('is kept when the file is overwritten', async () => {
    await inArena({
      given: ({ root }) => {
        writeFileSync(join(root, 'run.sh'), 'old');
        chmodSync(join(root, 'run.sh'), 0o750);
      },
      run: async ({ fs, root }) => {
        await fs.write('/run.sh', 'new');
        await fs.edit('/run.sh', 'new', 'newer');
        expect(statSync(join(root, 'run.sh')).mode & 0o7777).toBe(0o750);
      },
    });
  });
});
