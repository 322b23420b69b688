import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { copyFiles } from './copy-files';

const place = () => {
  const base = mkdtempSync(join(tmpdir(), 'copy-files-'));
  return { from: join(base, 'from'), to: join(base, 'to'), base };
};

it('copies the files of a folder, and nothing if there is none', async () => {
  const { from, to } = place();
  expect(await copyFiles(from, to)).toEqual({ ok: true, value: {} });
  expect(existsSync(to)).toBe(false);
  mkdirSync(from);
  writeFileSync(join(from, 'a.txt'), 'a');
  expect(await copyFiles(from, to)).toEqual({ ok: true, value: {} });
  expect(readFileSync(join(to, 'a.txt'), 'utf8')).toBe('a');
});

it('says that files could not be copied, and leaves none of them', async () => {
  const { from, to, base } = place();
  mkdirSync(join(from, 'b.txt'), { recursive: true });
  writeFileSync(join(from, 'a.txt'), 'a');
  expect(await copyFiles(from, to)).toMatchObject({
    ok: false,
    error: { kind: 'storage', code: 'fork_files_not_copied', detail: expect.stringContaining('b.txt') },
  });
  expect(readdirSync(base)).toEqual(['from']);
});
