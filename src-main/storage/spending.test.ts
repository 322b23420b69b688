import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { inEnglish } from '../../src-renderer/i18n/errors';
import { openStorage, type Storage } from './index';

let folder: string;
let open: Storage[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'deepdesk-spending-'));
});
afterEach(() => {
  for (const storage of open) storage.close();
  open = [];
  rmSync(folder, { recursive: true });
});

function storage(): Storage {
  const opened = openStorage(join(folder, 'deepdesk.db'));
  if (!opened.ok) throw new Error(inEnglish(opened.error));
  open.push(opened.value);
  return opened.value;
}

const request = { model: 'anthropic:claude', at: 1, usage: null };
const usage = { input: 3, output: 2, cacheRead: 1, cacheWrite: 0, reasoning: 0 };

it('sums costs by thread and by day, immediately in another process and after a restart', () => {
  const first = storage();
  const second = storage();
  first.spending.add({ ...request, threadId: 'a', day: '2026-01-01', cost: 5, usage });
  first.spending.add({ ...request, threadId: 'a', day: '2026-01-02', cost: null });
  second.spending.add({ ...request, threadId: 'b', day: '2026-01-02', cost: 7 });
  const sums = (one: Storage) => [
    one.spending.ofThread('a'),
    one.spending.ofThread('b'),
    one.spending.ofThread('none'),
    one.spending.ofDay('2026-01-01'),
    one.spending.ofDay('2026-01-02'),
  ];
  expect(sums(first)).toEqual([5, 7, 0, 5, 7]);
  for (const one of open.splice(0)) one.close();
  expect(sums(storage())).toEqual([5, 7, 0, 5, 7]);
});
