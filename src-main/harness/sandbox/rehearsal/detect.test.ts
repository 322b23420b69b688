import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { because } from '../../../contract/shared/reasons';
import { bubblewrap } from '../testing/bubblewrap';
import { canRehearse, type RehearsalRun } from './index';
import { folderIn } from './testing/options';
import { inNamespace, makeBase, note, removeBundle, whyNoRehearsal, writeIn } from './testing/place';

let base = '';
beforeEach(() => {
  base = makeBase();
});
afterEach(() => rmSync(base, { recursive: true, force: true }));
afterAll(removeBundle);

const isRoot = process.getuid?.() === 0;

it('rehearsal is unavailable without a sandbox', async () => {
  const found = await canRehearse(folderIn(base), join(base, 'layers'), {
    kind: null,
    reason: because('bubblewrap_missing'),
  });
  expect(found).toEqual({
    available: false,
    reason: process.platform === 'linux' ? 'no_sandbox' : 'platform',
  });
});

describe.skipIf(whyNoRehearsal !== null)(`rehearsal in a folder${note}`, () => {
  it('is detected by a trial that leaves the content unchanged', async () => {
    writeIn(folderIn(base), { 'a.txt': 'a' });
    expect(await canRehearse(folderIn(base), join(base, 'layers'), bubblewrap)).toEqual({ available: true });
  });

  it('is unavailable for a folder that contains the data folder, even by a link, or is inside it', async () => {
    const inside = join(folderIn(base), 'data');
    mkdirSync(inside);
    symlinkSync(inside, join(base, 'link'));
    const answers = await Promise.all([
      canRehearse(folderIn(base), join(inside, 'layers'), bubblewrap),
      canRehearse(folderIn(base), join(base, 'link/layers'), bubblewrap),
      canRehearse(inside, join(folderIn(base), 'data'), bubblewrap),
    ]);
    for (const answer of answers)
      expect(answer).toEqual({ available: false, reason: 'contains_data_folder' });
  });

  it('is unavailable for a missing folder', async () => {
    expect(await canRehearse(join(base, 'gone'), join(base, 'layers'), bubblewrap)).toMatchObject({
      available: false,
      reason: 'failed',
    });
  });

  it.skipIf(!isRoot)('is unavailable if something is mounted below the folder', async () => {
    const setUp = 'mkdir "$BASE/home/pro:ject,1/sub"; mount -t tmpfs none "$BASE/home/pro:ject,1/sub"';
    expect(await inNamespace(setUp, base, 'can', base, bubblewrap.program)).toEqual({
      available: false,
      reason: 'mounts_below',
      detail: join(folderIn(base), 'sub'),
    });
  });

  it.skipIf(!isRoot)('is unavailable if layers would be on an overlay', async () => {
    const setUp =
      'mkdir -p "$BASE/o/l" "$BASE/o/u" "$BASE/o/w"; cd "$BASE/o"; mount -t overlay none -o lowerdir=l,upperdir=u,workdir=w "$BASE/data"';
    expect(await inNamespace(setUp, base, 'can', base, bubblewrap.program)).toMatchObject({
      available: false,
      reason: 'data_folder_on_overlay',
    });
  });

  it.skipIf(!isRoot)('is detected on tmpfs and works there', async () => {
    const setUp =
      'mount -t tmpfs none "$BASE"; mkdir -p "$BASE/data" "$BASE/home/pro:ject,1/sub"; echo a > "$BASE/home/pro:ject,1/sub/a"';
    const can = await inNamespace(setUp, base, 'can', base, bubblewrap.program);
    // Older kernels have no extended attributes there.
    if (!(can as { available: boolean }).available)
      return expect(can).toMatchObject({ reason: expect.stringMatching(/^(no_overlay|file_system)$/) });
    const run = (await inNamespace(
      setUp,
      base,
      'rehearse',
      base,
      'one',
      bubblewrap.program,
      'rm -r sub; mkdir sub; echo b > sub/b',
    )) as RehearsalRun;
    expect(run.manifest.changes.map(({ path, kind }) => [path, kind])).toEqual([
      ['sub/a', 'deleted'],
      ['sub/b', 'created'],
    ]);
  });
});
