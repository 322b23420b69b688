import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { because } from '../../../../contract/shared/reasons';
import { bubblewrap, noteOnRoot, removeTestFolder } from '../../testing/bubblewrap';
import { canRehearse, type RehearsalRun } from '../index';
import { folderIn } from '../testing/options';
import { inNamespace, makeBase, note, removeBundle, whyNoRehearsal, writeIn } from '../testing/place';

let base = '';
beforeEach(() => {
  base = makeBase();
});
afterEach(() => removeTestFolder(base));
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

/** Each in an image that is mounted on the folder. */
const SYSTEMS = [
  ['ext4', 'mkfs.ext4 -q', 'ext4', 'true', { available: true }],
  [
    'ext4 that folds case',
    'mkfs.ext4 -q -O casefold',
    'ext4',
    'rmdir lost+found; chattr +F .; : > Name',
    { available: false, reason: 'case_folding' },
  ],
  ['FAT', 'mkfs.vfat', 'vfat', ': > NAME', { available: false, reason: 'no_modes' }],
  ['exFAT', 'mkfs.exfat', 'exfat', ': > NAME', { available: false, reason: 'no_modes' }],
  [
    'NTFS',
    'mkntfs -Q -F',
    'ntfs3',
    ': > NAME',
    { available: false, reason: expect.stringMatching(/^(no_modes|case_folding|file_system)$/) },
  ],
  ['NTFS by FUSE', 'mkntfs -Q -F', 'ntfs-3g', ': > NAME', { available: false, reason: 'no_modes' }],
  [
    'NTFS by FUSE with permissions',
    'mkntfs -Q -F',
    'ntfs-3g -o permissions',
    ': > NAME',
    { available: false, reason: 'file_system' },
  ],
] as const;

const mounting = (make: string, type: string, fill: string) =>
  `truncate -s 64M "$BASE/image"; ${make} "$BASE/image" >/dev/null; mount -t ${type} -o loop "$BASE/image" "$BASE/home/pro:ject,1"; cd "$BASE/home/pro:ject,1"; ${fill}; cd /`;

/** Message queues: files with modes, and nothing else. */
const QUEUES = 'mount -t mqueue none "$BASE/home/pro:ject,1"';

/** Null if this machine can mount such an image; else why not. */
function whyNoImage(setUp: string): string | null {
  if (!isRoot) return 'only root may mount';
  const at = makeBase();
  try {
    const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', BASE: at };
    execFileSync('unshare', ['--mount', 'bash', '--norc', '-ec', setUp], { env, stdio: 'pipe' });
    return null;
  } catch (error) {
    const said = error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error);
    return said.trim().split('\n')[0] ?? '';
  } finally {
    rmSync(at, { recursive: true, force: true });
  }
}

describe.skipIf(whyNoRehearsal !== null)(`rehearsal in a folder${note}`, () => {
  for (const [name, make, type, fill, expected] of SYSTEMS) {
    const setUp = mounting(make, type, fill);
    const missing = whyNoRehearsal ?? whyNoImage(setUp);
    it.skipIf(missing !== null)(
      `is judged by the file system: ${name}${missing === null ? '' : ` (skipped: ${missing})`}`,
      async () => {
        expect(await inNamespace(setUp, base, 'can', base, bubblewrap.program)).toMatchObject(expected);
      },
    );
  }

  const lacks = whyNoRehearsal ?? whyNoImage(QUEUES);
  it.skipIf(lacks !== null)(
    `is judged by trying: a file system without links${lacks === null ? '' : ` (skipped: ${lacks})`}`,
    async () => {
      expect(await inNamespace(QUEUES, base, 'can', base, bubblewrap.program)).toEqual({
        available: false,
        reason: 'no_links',
      });
    },
  );

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

  it.skipIf(!isRoot)(`is unavailable if something is mounted below the folder${noteOnRoot}`, async () => {
    const setUp = 'mkdir "$BASE/home/pro:ject,1/sub"; mount -t tmpfs none "$BASE/home/pro:ject,1/sub"';
    expect(await inNamespace(setUp, base, 'can', base, bubblewrap.program)).toEqual({
      available: false,
      reason: 'mounts_below',
      detail: join(folderIn(base), 'sub'),
    });
  });

  it.skipIf(!isRoot)(`is unavailable if layers would be on an overlay${noteOnRoot}`, async () => {
    const setUp =
      'mkdir -p "$BASE/o/l" "$BASE/o/u" "$BASE/o/w"; cd "$BASE/o"; mount -t overlay none -o lowerdir=l,upperdir=u,workdir=w "$BASE/data"';
    expect(await inNamespace(setUp, base, 'can', base, bubblewrap.program)).toMatchObject({
      available: false,
      reason: 'data_folder_on_overlay',
    });
  });

  it.skipIf(!isRoot)(`is detected on tmpfs and works there${noteOnRoot}`, async () => {
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
