import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { folderForTest, mayBeNobody, noteOnNobody } from '../../testing/bubblewrap';
import { keep } from '../index';
import { base, eachTestHas, folder, mode, read } from '../testing/each-folder';
import { keptAsNobody, note, rehearsed, removeBundle, whyNoRehearsal, writeIn } from '../testing/place';

eachTestHas({ 'a.txt': 'a\n', 'src/b.txt': 'b\n' });
afterAll(removeBundle);

const seconds = (path: string) => lstatSync(join(folder, path)).mtimeMs / 1_000;

/** `entry`: tag, permissions, id. One user besides the owner may read. */
const SET_ACCESS_LIST = `import os, struct, sys
entries = [(1, 6, -1), (2, 4, 65534), (4, 4, -1), (16, 4, -1), (32, 0, -1)]
data = struct.pack("<I", 2) + b"".join(struct.pack("<HHi", *entry) for entry in entries)
os.setxattr(sys.argv[1], "system.posix_acl_access", data)`;
const GET_ACCESS_LIST = `import os, sys
print(os.getxattr(sys.argv[1], "system.posix_acl_access").hex())`;
const python = (script: string, path: string) =>
  execFileSync('python3', ['-c', script, path], { encoding: 'utf8', cwd: '/', stdio: 'pipe' });

/** Null if files can have access lists here; else why not. */
function whyNoAccessLists(): string | null {
  const at = folderForTest();
  try {
    python(SET_ACCESS_LIST, at);
    return null;
  } catch (error) {
    return String(error).trim().split('\n').at(-1) ?? '';
  } finally {
    rmSync(at, { recursive: true });
  }
}
const noAccessLists = whyNoAccessLists();
const listNote = noAccessLists === null ? '' : ` (skipped: ${noAccessLists})`;

describe.skipIf(whyNoRehearsal !== null)(`what keeping preserves${note}`, () => {
  it.skipIf(noAccessLists !== null)(
    `access lists, including those of a file that was replaced${listNote}`,
    async () => {
      for (const path of ['a.txt', 'src/b.txt']) python(SET_ACCESS_LIST, join(folder, path));
      const before = python(GET_ACCESS_LIST, join(folder, 'a.txt'));
      const command = 'echo 2 >> a.txt; echo 3 > src/new; chmod 640 src/new; mv src/new src/b.txt';
      expect((await keep((await rehearsed(base, command)).manifest)).conflicts).toEqual([]);
      expect([read('a.txt'), read('src/b.txt')]).toEqual(['a\n2\n', '3\n']);
      for (const path of ['a.txt', 'src/b.txt'])
        expect(python(GET_ACCESS_LIST, join(folder, path))).toBe(before);
    },
  );

  it('attributes that a command gave to new files', async () => {
    const { manifest, unfit } = await rehearsed(
      base,
      `mkdir new; echo 1 > new/file; python3 -c 'import os; os.setxattr("new/file", "user.mark", b"1")'`,
    );
    expect(unfit).toBeUndefined();
    await keep(manifest);
    const get = 'import os, sys; print(os.listxattr(sys.argv[1]))';
    expect(python(get, join(folder, 'new/file'))).toBe("['user.mark']\n");
  });

  it.skipIf(noAccessLists !== null || !mayBeNobody)(
    `the access list of a folder's new files${listNote}${noteOnNobody}`,
    async () => {
      python(SET_ACCESS_LIST.replace('_access"', '_default"'), join(folder, 'src'));
      await rehearsed(base, 'echo 1 > src/new; chmod 660 src/new', { as: 'nobody', layer: 'listed' });
      expect((await keptAsNobody(base, 'listed')).conflicts).toEqual([]);
      writeIn(folder, { 'src/own': '1' });
      chmodSync(join(folder, 'src/own'), 0o660);
      expect(python(GET_ACCESS_LIST, join(folder, 'src/new'))).toBe(
        python(GET_ACCESS_LIST, join(folder, 'src/own')),
      );
    },
  );

  it.skipIf(noAccessLists !== null || !mayBeNobody).each([
    ['adds an access list, which would look like a mode for the group', SET_ACCESS_LIST, 'src/b.txt'],
    [
      'removes an access list',
      'import os, sys; os.removexattr(sys.argv[1], "system.posix_acl_access")',
      'a.txt',
    ],
    ['adds an attribute', 'import os, sys; os.setxattr(sys.argv[1], "user.mark", b"1")', 'src'],
  ])(`nothing of a command that %s${listNote}${noteOnNobody}`, async (_, script, path) => {
    python(SET_ACCESS_LIST, join(folder, 'a.txt'));
    writeIn(base, { 'home/pro:ject,1/script.py': script });
    const ran = await rehearsed(base, `echo 2 >> a.txt; python3 script.py ${path}`, { as: 'nobody' });
    expect([ran.exitCode, ran.unfit, ran.output]).toEqual([0, 'attributes', '']);
    const others = await rehearsed(
      base,
      'echo 3 >> a.txt; chmod 640 a.txt; chmod 700 src; cp a.txt b; mv b src/b.txt',
      {
        as: 'nobody',
      },
    );
    expect([others.exitCode, others.unfit]).toEqual([0, undefined]);
  });

  it('all names of one file, inside and outside the folder', async () => {
    for (const name of ['home/pro:ject,1/one', 'home/pro:ject,1/src/two', 'outside/three'])
      linkSync(join(folder, 'a.txt'), join(base, name));
    const { manifest } = await rehearsed(base, 'echo 2 > one; rm a.txt');
    expect((await keep(manifest)).conflicts).toEqual([]);
    expect([read('one'), read('src/two'), readFileSync(join(base, 'outside/three'), 'utf8')]).toEqual([
      '2\n',
      '2\n',
      '2\n',
    ]);
    expect(lstatSync(join(folder, 'one')).nlink).toBe(3);
  });

  it('modes without setuid and setgid, of new and of existing files', async () => {
    const { manifest } = await rehearsed(
      base,
      'chmod 6750 a.txt; echo x > tool; chmod 4711 tool; echo 2 > src/b.txt; chmod 2640 src/b.txt; mkdir shared; chmod 2770 shared',
    );
    await keep(manifest);
    const files = ['a.txt', 'tool', 'src/b.txt'].map(mode);
    expect(files).toEqual([0o750, 0o711, 0o640]);
    // For a folder it means that new files get its group.
    expect(mode('shared')).toBe(0o2770);
  });

  it('times of new and changed files, and of new folders with content', async () => {
    utimesSync(join(folder, 'a.txt'), 1, 1);
    const { manifest } = await rehearsed(
      base,
      'echo 2 > a.txt; touch -d @1000000000 a.txt; mkdir -p new/er; echo x > new/er/f; touch -d @1000000001 new/er/f; touch -d @1000000002 new/er; touch -d @1000000003 new',
    );
    await keep(manifest);
    expect(['a.txt', 'new/er/f', 'new/er', 'new'].map(seconds)).toEqual([
      1_000_000_000, 1_000_000_001, 1_000_000_002, 1_000_000_003,
    ]);
  });

  it('folders that lock out even their owner, filled before and emptied after their modes change', async () => {
    mkdirSync(join(folder, 'old/in'), { recursive: true });
    writeIn(folder, { 'old/in/x': 'x' });
    const { manifest } = await rehearsed(
      base,
      'mkdir -p shut/in; echo x > shut/in/x; chmod 555 shut/in shut; rm -r old; echo f > old',
    );
    expect((await keep(manifest)).conflicts).toEqual([]);
    expect([read('shut/in/x'), read('old'), mode('shut'), mode('shut/in')]).toEqual([
      'x\n',
      'f\n',
      0o555,
      0o555,
    ]);
    chmodSync(join(folder, 'shut/in'), 0o755);
    chmodSync(join(folder, 'shut'), 0o755);
  });

  it.skipIf(!mayBeNobody)(
    `files and folders that an ordinary user made unreadable${noteOnNobody}`,
    async () => {
      const { manifest, exitCode } = await rehearsed(
        base,
        'echo x > shut; chmod 0 shut; echo y > written; chmod 200 written; mkdir -p none/in; echo z > none/in/z; chmod 0 none/in none; echo 2 > a.txt; chmod 0 a.txt',
        { as: 'nobody', layer: 'shut' },
      );
      expect(exitCode).toBe(0);
      expect(manifest.changes.map(({ path, kind, after }) => [path, kind, after?.mode])).toEqual([
        ['a.txt', 'changed', 0],
        ['none', 'created', 0],
        ['none/in', 'created', 0],
        ['none/in/z', 'created', 0o644],
        ['shut', 'created', 0],
        ['written', 'created', 0o200],
      ]);
      const { kept, conflicts } = await keptAsNobody(base, 'shut');
      expect([kept.length, conflicts]).toEqual([6, []]);
      expect(['a.txt', 'none', 'none/in', 'none/in/z', 'shut', 'written'].map(mode)).toEqual([
        0, 0, 0, 0o644, 0, 0o200,
      ]);
      // Root may read them.
      expect(['a.txt', 'none/in/z', 'shut', 'written'].map(read)).toEqual(['2\n', 'z\n', 'x\n', 'y\n']);
    },
  );

  it.skipIf(!mayBeNobody)(
    `folders that their owner locked: their content changes, and they stay locked unless the command changed that${noteOnNobody}`,
    async () => {
      const files = ['edit/in/x', 'edit/in/z', 'open/x', 'open/z', 'gone/in/x'];
      writeIn(folder, Object.fromEntries(files.map((path) => [path, 'x\n'])));
      for (const path of ['edit/in', 'edit', 'open', 'gone/in', 'gone']) chmodSync(join(folder, path), 0o555);
      const { manifest, exitCode } = await rehearsed(
        base,
        'set -e; chmod -R u+w *; rm -r gone open/x edit/in/x; echo 2 > open/y; echo 2 > edit/in/y; echo 2 >> edit/in/z; chmod 555 edit edit/in',
        { as: 'nobody', layer: 'locked' },
      );
      expect(exitCode).toBe(0);
      const { kept, conflicts } = await keptAsNobody(base, 'locked');
      expect(conflicts).toEqual([]);
      expect(kept).toEqual(manifest.changes.map(({ path }) => path));
      expect(readdirSync(join(folder, 'edit/in')).concat(readdirSync(join(folder, 'open')))).toEqual([
        'y',
        'z',
        'y',
        'z',
      ]);
      expect(['edit/in/y', 'edit/in/z', 'open/y'].map(read)).toEqual(['2\n', 'x\n2\n', '2\n']);
      expect(['edit', 'edit/in', 'open'].map(mode)).toEqual([0o555, 0o555, 0o755]);
      expect(existsSync(join(folder, 'gone'))).toBe(false);
    },
  );
});
