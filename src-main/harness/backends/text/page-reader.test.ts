import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LineIndex, LineIndexes, STRIDE } from '../search/line-index';
import { readLines } from './page-reader';
import { pageOf } from './text';

let folder: string;
let handle: FileHandle;
let size: number;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'deepdesk-pages-'));
});
afterEach(async () => {
  await handle.close();
  rmSync(folder, { recursive: true });
});

async function make(text: string): Promise<void> {
  writeFileSync(join(folder, 'a.txt'), text);
  handle = await open(join(folder, 'a.txt'));
  size = Buffer.byteLength(text);
}

const read = (offset: number, limit: number, index = new LineIndex(size)) =>
  readLines(handle, { offset, limit, index, size, signal: undefined });

/** Lines of 1 to 400 bytes, some of them empty. */
const manyLines = (count: number) =>
  Array.from({ length: count }, (_, n) => (n % 7 === 3 ? '' : `${n} ${'x'.repeat((n * 37) % 400)}`)).join(
    '\n',
  );

describe('pages', () => {
  it.each(['', '\n', 'one', 'one\n', 'one\ntwo', 'one\r\ntwo\r\n', '\n\n', '\uFEFFone\ntwo\n'])(
    'match a text in memory: %j',
    async (text) => {
      await make(text);
      for (const offset of [0, 1, 2, 3])
        for (const limit of [0, 1, 2, 5])
          expect({ offset, limit, page: await read(offset, limit) }).toEqual({
            offset,
            limit,
            page: pageOf(text, offset, limit),
          });
    },
  );

  it('are the same with and without an index, in any order', async () => {
    const text = manyLines(20_000);
    await make(text);
    const index = new LineIndex(size);
    for (const offset of [15_000, 3, 19_990, 10_000, 15_000, 0, 19_999, 7_000]) {
      const expected = pageOf(text, offset, 50);
      expect(await read(offset, 50, index)).toMatchObject({
        content: 'content' in expected && expected.content,
      });
    }
    expect(index.total).toBe(20_000);
    expect(await read(20_000, 1, index)).toEqual(pageOf(text, 20_000, 1));
  });

  it('start at a known line without reading anything before it', async () => {
    await make(manyLines(20_000));
    const index = new LineIndex(size);
    await read(18_000, 10, index);
    const places: number[] = [];
    const watched = Object.create(handle, {
      read: {
        value: (buffer: Buffer, offset: number, length: number, position: number) => {
          places.push(position);
          return handle.read(buffer, offset, length, position);
        },
      },
    });
    await readLines(watched, { offset: 18_000, limit: 10, index, size, signal: undefined });
    expect(Math.min(...places)).toBe(Math.floor((Math.min(...places) + 1) / STRIDE) * STRIDE);
    expect(Math.min(...places)).toBeGreaterThan(3 * STRIDE);
  });

  it('stop when reading is canceled', async () => {
    await make(manyLines(20_000));
    const stopped = AbortSignal.abort(new Error('enough'));
    await expect(readLines(handle, { offset: 9_000, limit: 1, size, signal: stopped })).rejects.toThrow(
      'enough',
    );
  });
});

describe('stored indexes', () => {
  const later = (stat: { ctimeMs: bigint }) => Number(stat.ctimeMs) + 1000;

  it('exist for each state of a large file, but not for a state that has just appeared', async () => {
    await make(manyLines(20_000));
    const indexes = new LineIndexes();
    const stat = await handle.stat({ bigint: true });
    expect(indexes.of(stat, Number(stat.ctimeMs) + 1)).not.toBe(indexes.of(stat, later(stat)));
    const first = indexes.of(stat, later(stat));
    expect(indexes.of(stat, later(stat))).toBe(first);
    writeFileSync(join(folder, 'a.txt'), manyLines(20_001));
    const changed = await handle.stat({ bigint: true });
    expect(indexes.of(changed, later(changed))).not.toBe(first);
    indexes.forget(stat);
    expect(indexes.of(stat, later(stat))).not.toBe(first);
  });

  it('limit the number of places in the largest file', () => {
    const index = new LineIndex(2 ** 45);
    for (let n = 1; n <= 100_000; n += 1) index.note(n * STRIDE, n);
    // 16,384 places in a 32 TB file are 2 GB apart.
    expect(index.upTo(Number.MAX_SAFE_INTEGER).position).toBe(24 * 2 ** 31);
    expect(index.before(1)).toEqual({ position: 0, ends: 0 });
  });
});
