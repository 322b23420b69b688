import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { cleanups } from '../../../../base/testing/cleanups';
import { BASE, PARTS } from '../layer/layer';
import { SeenFiles } from './seen';

it('saves what a command changes in a folder, but not the target of a link that it replaced with a folder', async () => {
  const base = mkdtempSync(join(tmpdir(), 'deepdesk-seen-'));
  cleanups.push(() => rmSync(base, { recursive: true, force: true }));
  const [place, folder, outside] = [join(base, 'place'), join(base, 'folder'), join(base, 'outside')];
  const write = (path: string, text: string) => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };
  write(join(folder, 'src/deep/file'), 'old');
  write(join(outside, 'file'), 's3cret');
  symlinkSync(outside, join(folder, 'away'));
  mkdirSync(join(place, BASE), { recursive: true });
  for (const path of ['src/deep/file', 'away/file']) write(join(place, PARTS.upper, path), 'new');

  const inAMinute = BigInt(Date.now() + 60_000) * 1_000_000n;
  const seen = new SeenFiles(place, folder, inAMinute);
  // The one below two folders is the last to be found.
  await vi.waitFor(() => expect(readdirSync(join(place, BASE))).toHaveLength(1));
  expect([...(await seen.stop()).keys()]).toEqual(['src/deep/file']);
});
