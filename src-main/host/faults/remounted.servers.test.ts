import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { keep, readManifest } from '../../harness/sandbox/rehearsal';
import { folderIn } from '../../harness/sandbox/rehearsal/testing/options';
import { makeBase, rehearsed, whyNoRehearsal, writeIn } from '../../harness/sandbox/rehearsal/testing/place';
import { poweredDisk, whyNoDisk } from './testing/powered-disk';

const place = realpathSync(mkdtempSync(join(tmpdir(), 'deepdesk-remounted-')));
afterAll(() => rmSync(place, { recursive: true, force: true }));

const whyNot = whyNoRehearsal ?? whyNoDisk(place);
const note = whyNot === null ? '' : ` (skipped: ${whyNot})`;

it.skipIf(whyNot !== null)(
  `what a command did is kept on a disk whose device number has changed${note}`,
  async () => {
    const disk = poweredDisk(place);
    try {
      const base = makeBase(disk.place);
      const folder = folderIn(base);
      writeIn(folder, { 'a.txt': 'a', 'b.txt': 'b', 'c/d.txt': 'd', 'mode.sh': 'm' });
      const command = 'echo A > a.txt; rm b.txt; mkdir e; echo e > e/e.txt; rm -r c; chmod 700 mode.sh';
      const { manifest } = await rehearsed(base, command);
      const before = statSync(folder);
      disk.flush();
      disk.cutPower();
      const after = statSync(folder);
      expect([after.dev === before.dev, after.ino]).toEqual([false, before.ino]);
      const stored = await readManifest(join(base, 'data/layers'), manifest.layer);
      expect(stored?.hash).toBe(manifest.hash);
      const kept = await keep(manifest);
      expect(kept.conflicts).toEqual([]);
      expect(readdirSync(folder, { recursive: true }).toSorted()).toEqual([
        'a.txt',
        'e',
        'e/e.txt',
        'mode.sh',
      ]);
      expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('A\n');
      expect(statSync(join(folder, 'mode.sh')).mode & 0o777).toBe(0o700);
    } finally {
      disk.remove();
    }
  },
);
