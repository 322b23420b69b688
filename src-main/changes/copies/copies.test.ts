import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Difference, Differences, makeCopy, measureCopy, textOf } from '.';

type Files = Record<string, string | Buffer>;

function writeAll(root: string, files: Files): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
}

function folders(files: Files) {
  const top = realpathSync(mkdtempSync(join(tmpdir(), 'deepdesk-copies-')));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  const [folder, place] = [join(top, 'földer'), join(top, 'place')];
  const copy = join(place, 'földer');
  mkdirSync(folder);
  mkdirSync(place);
  writeAll(folder, files);
  return { folder, place, copy };
}

/** A folder and a private copy of it. */
async function copied(files: Files, options: { ignored?: boolean; prepare?: (folder: string) => void } = {}) {
  const made = folders(files);
  options.prepare?.(made.folder);
  const done = await makeCopy({
    from: made.folder,
    to: made.copy,
    place: made.place,
    ignored: options.ignored ?? true,
    signal: new AbortController().signal,
    onProgress: () => undefined,
  });
  const open = () => new Differences(made.folder, made.copy, made.place);
  const inCopy = (content: Files) => writeAll(made.copy, content);
  const inFolder = (content: Files) => writeAll(made.folder, content);
  return { ...made, done, open, inCopy, inFolder };
}

const outcomes = (found: readonly Difference[]) =>
  Object.fromEntries(found.map(({ path, outcome }) => [path, outcome]));

describe('making a private copy', () => {
  it('copies contents, modes, times, links, empty folders and ignored files', async () => {
    const t = await copied(
      { 'a.txt': 'one', '.gitignore': 'dist\n', 'dist/out.js': 'built', 'bin/run': '#!/bin/sh\n' },
      {
        prepare: (folder) => {
          chmodSync(join(folder, 'bin/run'), 0o755);
          utimesSync(join(folder, 'a.txt'), 1_000, 2_000);
          symlinkSync('a.txt', join(folder, 'near'));
          symlinkSync(join(folder, 'bin'), join(folder, 'absolute'));
          symlinkSync('/nowhere/else', join(folder, 'away'));
          mkdirSync(join(folder, 'empty'));
        },
      },
    );
    expect(readFileSync(join(t.copy, 'dist/out.js'), 'utf8')).toBe('built');
    expect(lstatSync(join(t.copy, 'bin/run')).mode & 0o777).toBe(0o755);
    expect(lstatSync(join(t.copy, 'a.txt')).mtimeMs).toBe(2_000_000);
    expect(readlinkSync(join(t.copy, 'near'))).toBe('a.txt');
    // A link to a place in the folder leads to the same place in the copy.
    expect(readlinkSync(join(t.copy, 'absolute'))).toBe(join(t.copy, 'bin'));
    expect(readlinkSync(join(t.copy, 'away'))).toBe('/nowhere/else');
    expect(lstatSync(join(t.copy, 'empty')).isDirectory()).toBe(true);
    expect(await t.open().list()).toEqual([]);
  });

  it('leaves out ignored files if asked, but not the repository', async () => {
    const t = await copied(
      { '.gitignore': 'node_modules\n', 'node_modules/a/index.js': '1', '.git/HEAD': 'ref: x', 'b.txt': 'b' },
      { ignored: false },
    );
    expect(existsSync(join(t.copy, 'node_modules'))).toBe(false);
    expect(readFileSync(join(t.copy, '.git/HEAD'), 'utf8')).toBe('ref: x');
    expect(await t.open().list()).toEqual([]);
  });

  it('copies folders without write permission and drops setuid bits', async () => {
    const t = await copied(
      { 'locked/a.txt': 'a', run: 'x' },
      {
        prepare: (folder) => {
          chmodSync(join(folder, 'locked'), 0o555);
          chmodSync(join(folder, 'run'), 0o4755);
        },
      },
    );
    onTestFinished(() => {
      chmodSync(join(t.folder, 'locked'), 0o755);
      chmodSync(join(t.copy, 'locked'), 0o755);
    });
    expect(readFileSync(join(t.copy, 'locked/a.txt'), 'utf8')).toBe('a');
    expect(lstatSync(join(t.copy, 'locked')).mode & 0o777).toBe(0o555);
    expect(lstatSync(join(t.copy, 'run')).mode & 0o7777).toBe(0o755);
  });

  it('skips pipes and counts them', async () => {
    const t = await copied(
      { a: 'a' },
      { prepare: (folder) => execFileSync('mkfifo', [join(folder, 'pipe')]) },
    );
    expect(existsSync(join(t.copy, 'pipe'))).toBe(false);
    expect(t.done).toEqual({ files: 1, bytes: 1, skipped: 1 });
  });

  it('stops when it is told to', async () => {
    const made = folders(Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`f${at}`, 'x'])));
    const stop = new AbortController();
    let files = 0;
    const making = makeCopy({
      from: made.folder,
      to: made.copy,
      place: made.place,
      ignored: true,
      signal: stop.signal,
      onProgress: (done) => {
        files = done.files;
        if (files === 20) stop.abort(new Error('stopped'));
      },
    });
    await expect(making).rejects.toThrow('stopped');
    expect(files).toBeLessThan(300);
  });

  it('measures what a copy would contain', async () => {
    const { folder, place } = folders({
      '.gitignore': 'dist\n',
      'dist/big.bin': 'x'.repeat(500),
      'a.txt': 'four',
      '.git/HEAD': 'head!',
    });
    const { own, ignored, free } = await measureCopy(folder, place);
    expect({ own, ignored }).toEqual({
      own: { files: 3, bytes: 14 },
      ignored: { files: 1, bytes: 500 },
    });
    expect(free).toBeGreaterThan(0);
  });
});

const TEN = Array.from({ length: 10 }, (_, at) => `line ${at}\n`).join('');

describe('differences between a private copy and the folder', () => {
  it('lists what the copy added, changed, deleted and made executable', async () => {
    const t = await copied({ 'a.txt': 'a', 'b.txt': 'b', 'c.sh': 'c' });
    t.inCopy({ 'a.txt': 'A', 'new/deep.txt': 'n' });
    rmSync(join(t.copy, 'b.txt'));
    chmodSync(join(t.copy, 'c.sh'), 0o755);
    expect(outcomes(await t.open().list())).toEqual({
      'a.txt': 'take',
      'b.txt': 'take',
      'c.sh': 'take',
      new: 'take',
      'new/deep.txt': 'take',
    });
  });

  it('leaves out what only the folder changed, and what both changed equally', async () => {
    const t = await copied({ 'a.txt': 'a', 'b.txt': 'b' });
    t.inFolder({ 'a.txt': 'folder', 'b.txt': 'same' });
    t.inCopy({ 'b.txt': 'same' });
    expect(outcomes(await t.open().list())).toEqual({ 'b.txt': 'done' });
  });

  it('merges changes in different parts of a file', async () => {
    const t = await copied({ 'a.txt': TEN });
    t.inFolder({ 'a.txt': TEN.replace('line 1\n', 'line 1 folder\n') });
    t.inCopy({ 'a.txt': TEN.replace('line 8\n', 'line 8 copy\n') });
    const [found] = await t.open().list();
    expect(found?.outcome).toBe('merge');
    expect(textOf(found?.parts ?? [], [])).toBe(
      TEN.replace('line 1\n', 'line 1 folder\n').replace('line 8\n', 'line 8 copy\n'),
    );
  });

  it('reports a conflict where both changed the same lines, and merges the rest', async () => {
    const t = await copied({ 'a.txt': TEN });
    t.inFolder({ 'a.txt': TEN.replace('line 1\n', 'folder\n') });
    t.inCopy({ 'a.txt': TEN.replace('line 1\n', 'copy\n').replace('line 8\n', 'eight\n') });
    const [found] = await t.open().list();
    expect(found?.outcome).toBe('conflict');
    const parts = found?.parts ?? [];
    expect(textOf(parts, [])).toBe(null);
    const eight = TEN.replace('line 8\n', 'eight\n');
    expect(textOf(parts, ['folder'])).toBe(eight.replace('line 1\n', 'folder\n'));
    expect(textOf(parts, ['copy'])).toBe(eight.replace('line 1\n', 'copy\n'));
    expect(textOf(parts, ['both'])).toBe(eight.replace('line 1\n', 'folder\ncopy\n'));
  });

  it('keeps a missing line end at the end of a file', async () => {
    const t = await copied({ 'a.txt': 'one\ntwo\nthree' });
    t.inFolder({ 'a.txt': 'ONE\ntwo\nthree' });
    t.inCopy({ 'a.txt': 'one\ntwo\nTHREE' });
    const [found] = await t.open().list();
    expect(textOf(found?.parts ?? [], ['both'])).toBe('ONE\ntwo\nTHREE');
  });

  it('reports a conflict of a binary file, a deleted file, and a file that both created', async () => {
    const t = await copied({ 'x.bin': Buffer.of(0, 1), 'gone.txt': 'g' });
    t.inFolder({ 'x.bin': Buffer.of(0, 2), 'gone.txt': 'folder', 'both.txt': 'folder\n' });
    t.inCopy({ 'x.bin': Buffer.of(0, 3), 'both.txt': 'copy\n' });
    rmSync(join(t.copy, 'gone.txt'));
    expect(outcomes(await t.open().list())).toEqual({
      'x.bin': 'conflict',
      'gone.txt': 'conflict',
      'both.txt': 'conflict',
    });
  });

  it('brings a new link into the copy back as a link into the folder', async () => {
    const t = await copied({ 'a.txt': 'a' });
    symlinkSync(join(t.copy, 'a.txt'), join(t.copy, 'link'));
    const [found] = await t.open().list();
    expect(found?.result).toEqual({ type: 'link', target: join(t.folder, 'a.txt') });
  });

  it('takes the content of one side and the mode of the other', async () => {
    const t = await copied({ 'a.sh': 'a\n' });
    chmodSync(join(t.folder, 'a.sh'), 0o755);
    t.inCopy({ 'a.sh': 'b\n' });
    const [found] = await t.open().list();
    expect([found?.outcome, found?.result]).toMatchObject(['take', { type: 'file', mode: 0o755 }]);
  });

  it('accepts the state of the copy as the base, and restores the earlier one', async () => {
    const t = await copied({ 'a.txt': 'a\n' });
    t.inCopy({ 'a.txt': 'b\n', 'n.txt': 'n' });
    const one = t.open();
    const before = await one.accept(await one.list());
    expect(await one.list()).toEqual([]);
    expect(await t.open().list()).toEqual([]);
    one.restore(before);
    expect(outcomes(await t.open().list())).toEqual({ 'a.txt': 'take', 'n.txt': 'take' });
  });

  it('accepts what was compared, not what the copy has changed since', async () => {
    const t = await copied({ 'a.txt': 'a\n', 'b.txt': 'b\n', 'c.txt': 'c\n' });
    t.inCopy({ 'a.txt': 'brought\n', 'b.txt': 'brought\n', 'n.txt': 'n\n' });
    symlinkSync(join(t.copy, 'b.txt'), join(t.copy, 'link'));
    const one = t.open();
    const found = await one.list();
    t.inFolder({ 'a.txt': 'brought\n', 'n.txt': 'n\n' });
    symlinkSync(join(t.folder, 'b.txt'), join(t.folder, 'link'));
    t.inCopy({ 'a.txt': 'brought\nnewer\n', 'b.txt': 'newer\n' });
    rmSync(join(t.copy, 'n.txt'));
    rmSync(join(t.copy, 'link'));
    await one.accept(found);
    // `b.txt` was not brought in, and `a.txt` is compared with what was.
    expect(outcomes(await one.list())).toEqual({
      'a.txt': 'take',
      'b.txt': 'take',
      'n.txt': 'take',
      link: 'take',
    });
    expect(outcomes(await t.open().list())).toEqual(outcomes(await one.list()));
  });

  it.each(['sha1', 'sha256'])(
    'compares files that git tracks with %s, whatever the ignore files say',
    async (format) => {
      const t = await copied(
        { '.gitignore': 'dist\n', 'dist/a.js': '1', 'dist/made.js': 'x', 'n/node_modules/b.js': '1' },
        {
          prepare: (folder) =>
            execFileSync(
              'bash',
              ['--norc', '-c', 'git init -q . && git add -f dist/a.js && git init -q n && git -C n add -f .'],
              { cwd: folder, env: { ...process.env, GIT_DEFAULT_HASH: format } },
            ),
        },
      );
      t.inCopy({ 'dist/a.js': '2', 'dist/made.js': 'y', 'dist/more/z.js': 'z', 'n/node_modules/b.js': '2' });
      expect(outcomes(await t.open().list())).toEqual({ 'dist/a.js': 'take', 'n/node_modules/b.js': 'take' });
    },
  );

  it('compares huge files of equal lines as a whole instead of blocking', async () => {
    const many = 'same\n'.repeat(20_000);
    const t = await copied({ 'a.txt': `x\n${many}y\n` });
    t.inFolder({ 'a.txt': `${many}f\n` });
    t.inCopy({ 'a.txt': `c\n${many}` });
    expect(outcomes(await t.open().list())).toEqual({ 'a.txt': 'conflict' });
  });
});

describe('the repositories of a copy', () => {
  const COMMIT = 'git -c user.name=a -c user.email=a@b commit -q -m two';
  const run = (cwd: string, script: string) =>
    execFileSync('bash', ['--norc', '-c', script], {
      cwd,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim();
  const INIT = `git init -q -b main . && echo a > a && git add a && ${COMMIT}`;
  const stateOf = (folder: string) =>
    run(folder, 'git for-each-ref; git rev-parse HEAD; git status --short; git worktree list | wc -l');

  /** A folder that is a linked worktree of a repository beside it. */
  const linked = (folder: string) => {
    run(dirname(folder), `mkdir main && cd main && ${INIT} && git bisect start -q HEAD`);
    run(folder, `rmdir '${folder}' && git -C ../main worktree add -q -b side '${folder}'`);
  };

  it.each<[string, string, (folder: string) => void]>([
    ['a worktree of a repository elsewhere', '', linked],
    [
      'a worktree inside the folder',
      'wt',
      (folder) => run(folder, `${INIT} && git worktree add -q -b side wt`),
    ],
    [
      'a repository whose configuration names the folder',
      '',
      (folder) => run(folder, `${INIT} && git config core.worktree '${folder}'`),
    ],
    [
      'a repository with a configuration of 90,000 empty lines',
      '',
      (folder) =>
        run(
          folder,
          `${INIT} && git config core.worktree '${folder}' && yes '' | head -n 90000 >> .git/config`,
        ),
    ],
    [
      'a submodule',
      'lib',
      (folder) =>
        run(
          folder,
          `mkdir ../lib && (cd ../lib && ${INIT}) && git init -q . && git -c protocol.file.allow=always submodule --quiet add ../lib lib`,
        ),
    ],
    [
      'a submodule whose project is elsewhere',
      '',
      (folder) => {
        run(dirname(folder), `mkdir lib super && (cd lib && ${INIT}) && git init -q super`);
        run(
          join(dirname(folder), 'super'),
          `git -c protocol.file.allow=always submodule --quiet add ../lib lib && rmdir '${folder}' && mv lib '${folder}' && echo "gitdir: $PWD/.git/modules/lib" > '${folder}/.git' && git config -f .git/modules/lib/config core.worktree '${folder}'`,
        );
      },
    ],
  ])('are its own: %s', async (_, at, prepare) => {
    const t = await copied({}, { prepare });
    const [original, copy] = [join(t.folder, at), join(t.copy, at)];
    const before = [stateOf(original), readFileSync(join(original, 'a'), 'utf8')];
    expect(run(copy, 'git status --short; git log --format=%s')).toBe('two');
    expect(run(copy, 'git rev-parse HEAD')).toBe(run(original, 'git rev-parse HEAD'));
    run(
      copy,
      `echo b > a && git add a && git branch new && ${COMMIT} && git fsck && git checkout -q -f HEAD~1`,
    );
    expect([stateOf(original), readFileSync(join(original, 'a'), 'utf8')]).toEqual(before);
    expect(outcomes(await t.open().list())).toEqual({});
    const { own } = await measureCopy(t.folder, t.place);
    expect(own.files).toBeGreaterThan(20);
  });

  it('are left out if they belong to another folder, and so are links out of a repository', async () => {
    const t = await copied(
      { 'sub/a': 'a' },
      {
        prepare: (folder) => {
          run(dirname(folder), `mkdir other && cd other && ${INIT}`);
          writeFileSync(join(folder, 'sub/.git'), `gitdir: ${dirname(folder)}/other/.git\n`);
          run(folder, `${INIT} && rm -r .git/refs && ln -s ../../other/.git/refs .git/refs`);
          symlinkSync('HEAD', join(folder, '.git/near'));
        },
      },
    );
    expect([existsSync(join(t.copy, 'sub/.git')), existsSync(join(t.copy, '.git/refs'))]).toEqual([
      false,
      false,
    ]);
    expect(readlinkSync(join(t.copy, '.git/near'))).toBe('HEAD');
    expect(t.done.skipped).toBe(2);
  });
});
