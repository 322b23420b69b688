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
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { optional } from '../../../contract/shared/optional';
import { mayBeNobody, noteOnNobody } from '../testing/bubblewrap';
import { keep, type Manifest, readChange } from './index';
import { base, eachTestHas, FILES, folder } from './testing/each-folder';
import { note, rehearsed, removeBundle, whyNoRehearsal, writeIn } from './testing/place';

eachTestHas(FILES);
afterAll(removeBundle);

const kinds = ({ changes }: Manifest) => Object.fromEntries(changes.map(({ path, kind }) => [path, kind]));
const asIs = () =>
  execFileSync('find', ['.', '-printf', '%P %y %m %s %T@ %i\n'], { cwd: folder, encoding: 'utf8' });
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', '-C', folder, ...args], {
    env: { PATH: process.env.PATH, HOME: join(base, 'outside') },
    encoding: 'utf8',
  });

const users = [
  ['this user', undefined, false],
  [`an ordinary user${noteOnNobody}`, 'nobody', !mayBeNobody],
] as const;

describe.skipIf(whyNoRehearsal !== null)(`a rehearsed command${note}`, () => {
  for (const [who, as, isSkipped] of users)
    it.skipIf(isSkipped)(
      `changes nothing in the folder, and each change is reported, as ${who}`,
      async () => {
        symlinkSync('a.txt', join(folder, 'src/link'));
        const before = asIs();
        const { exitCode, manifest, output } = await rehearsed(
          base,
          'echo more >> src/a.txt && rm src/b.txt && chmod 755 c.txt && ln -sf b.txt src/link && mkdir new && echo x > new/f && rm -r deep && echo f > deep && ln -s /etc out && id -u && stat -c %u src/a.txt',
          { ...optional({ as }) },
        );
        expect({ output, exitCode }).toEqual({
          output: as === undefined ? `${process.getuid?.()}\n${process.getuid?.()}\n` : '65534\n65534\n',
          exitCode: 0,
        });
        expect(kinds(manifest)).toEqual({
          'src/a.txt': 'changed',
          'src/b.txt': 'deleted',
          'src/link': 'link',
          'c.txt': 'mode',
          new: 'created',
          'new/f': 'created',
          deep: 'type',
          'deep/er': 'deleted',
          'deep/er/d.txt': 'deleted',
          out: 'created',
        });
        expect(manifest.changes.find(({ path }) => path === 'out')).toMatchObject({
          leadsOutside: true,
          after: { type: 'link', target: '/etc' },
        });
        expect(asIs()).toBe(before);
      },
    );

  it.each([
    ['rm -r src && mkdir src', { 'src/a.txt': 'deleted', 'src/b.txt': 'deleted' }],
    ['rm -r src && mkdir src && echo a > src/a.txt', { 'src/b.txt': 'deleted' }],
    [
      'rm -r deep && mkdir -p deep/er && touch deep/er/e',
      { 'deep/er/d.txt': 'deleted', 'deep/er/e': 'created' },
    ],
    [
      'mv src moved',
      {
        moved: 'created',
        'moved/a.txt': 'created',
        'moved/b.txt': 'created',
        src: 'deleted',
        'src/a.txt': 'deleted',
        'src/b.txt': 'deleted',
      },
    ],
    ['touch src/a.txt; cp src/a.txt x; cat x > src/a.txt; rm x', {}],
    ['rm src/a.txt; echo a > src/a.txt; mkfifo pipe', {}],
    ['rm src/a.txt; mkdir src/a.txt', { 'src/a.txt': 'type' }],
    [`touch "$(printf 'odd\\xff\\nname')"`, { 'odd\\xff\nname': 'created' }],
  ])('%s is reported by what exists with the layer, not by how it was made', async (command, changes) => {
    const { manifest, exitCode } = await rehearsed(base, command);
    expect(exitCode).toBe(0);
    expect(kinds(manifest)).toEqual(changes);
  });

  it('judges entries below a link by the folder alone', async () => {
    writeIn(base, { 'outside/secret': 's3cret' });
    symlinkSync(join(base, 'outside'), join(folder, 'away'));
    const { manifest } = await rehearsed(base, 'rm away; mkdir away; echo s3cret > away/secret');
    expect(kinds(manifest)).toEqual({ away: 'type', 'away/secret': 'created' });
  });

  for (const [who, as, isSkipped] of users)
    it.skipIf(isSkipped)(
      `lets git work as usual and reports the changes of a repository, as ${who}`,
      async () => {
        git('init', '-q', '-b', 'main');
        writeIn(folder, { '.gitignore': 'dist/\n' });
        git('add', '.');
        git('commit', '-qm', 'first');
        const { output, exitCode, manifest } = await rehearsed(
          base,
          'set -e; git status --short; git config user.email a@b.c; git config user.name a; echo 2 > c.txt; git commit -qam second; git commit -q --allow-empty -m third; git branch side; git tag v1; mkdir dist; echo x > dist/out; printf x > .git/hooks/post-commit',
          { ...optional({ as }) },
        );
        expect({ output, exitCode }).toEqual({ output: '', exitCode: 0 });
        expect(manifest.git).toEqual([
          {
            path: '.git',
            facts: [
              { what: 'commits', branch: 'main', count: 2 },
              { what: 'commits', branch: 'side', count: 2 },
              { what: 'tags', count: 1 },
              { what: 'config' },
              { what: 'hooks', names: ['post-commit'] },
            ],
          },
        ]);
        const own = manifest.changes.filter((change) => change.git === '.git');
        expect(own.every((change) => change.protected === true && change.ignored === undefined)).toBe(true);
        expect(manifest.changes.find(({ path }) => path === 'dist/out')).toMatchObject({ ignored: true });
        expect(manifest.changes.find(({ path }) => path === 'c.txt')?.protected).toBeUndefined();
      },
    );

  it('writes no index for a status check, and counts staged files', async () => {
    git('init', '-q', '-b', 'main');
    git('add', '.');
    git('commit', '-qm', 'first');
    execFileSync('touch', ['-d', '2001-01-01', 'c.txt'], { cwd: folder });
    const reads = 'git status --short; git diff --name-only && git diff --quiet && git diff';
    const { manifest: none, ...ran } = await rehearsed(base, reads);
    expect([ran.output, ran.exitCode, none.changes]).toEqual(['', 0, []]);
    const { manifest } = await rehearsed(base, 'echo 1 > c.txt; echo 2 > new; git add .');
    expect(manifest.git).toEqual([{ path: '.git', facts: [{ what: 'staged', count: 2 }] }]);
    const gone = await rehearsed(base, 'rm -rf .git');
    expect(gone.manifest.git).toEqual([{ path: '.git', facts: [{ what: 'deleted' }] }]);
  });

  it('sees nothing of the home folder or the machine except toolchains, and its writes there are discarded', async () => {
    writeIn(base, {
      'home/notes.txt': 's3cret',
      'home/.ssh/id_ed25519': 's3cret',
      'home/.npmrc': 's3cret',
      'outside/file': 's3cret',
      'data/deepdesk.db': 's3cret',
      'home/.cargo/bin/mytool': '#!/bin/sh\necho tool\n',
      'home/.cargo/credentials.toml': 's3cret',
      'home/.npm/_cacache/index': 'cached',
    });
    writeIn(folder, { '.env': 'KEY=s3cret' });
    chmodSync(join(base, 'home/.cargo/bin/mytool'), 0o755);
    const before = execFileSync('find', [join(base, 'home'), '-printf', '%p %s %T@\n'], { encoding: 'utf8' });
    const { output, exitCode, refused } = await rehearsed(
      base,
      `cat ~/notes.txt ~/.ssh/id_ed25519 ~/.npmrc ${base}/outside/file ${base}/data/deepdesk.db ~/.cargo/credentials.toml .env; ~/.cargo/bin/mytool && cat ~/.npm/_cacache/index && echo new > ~/.npm/_cacache/new && mkdir -p ~/.config/x ~/.cache/y ~/.gradle && echo x > ~/.config/x/y && echo x > ~/.bashrc && ls -A ~/.npm/_cacache && echo ok > /tmp/kept && echo x > /dev/shm/x`,
    );
    expect(output).not.toContain('s3cret');
    expect(output).toMatch(/tool\ncachedindex\nnew\n/);
    expect(exitCode).toBe(0);
    expect(refused.map(({ what }) => what)).toContain('read');
    expect(execFileSync('find', [join(base, 'home'), '-printf', '%p %s %T@\n'], { encoding: 'utf8' })).toBe(
      before,
    );
    expect(existsSync('/dev/shm/x')).toBe(false);
    expect((await rehearsed(base, 'cat /tmp/kept; ls ~/.bashrc ~/.npm/_cacache/new')).output).toMatch(
      /^ok\n(?!.*\/new\n)/,
    );
  });

  it('separates the names of one file and leaves modes and times in the folder unchanged', async () => {
    linkSync(join(folder, 'c.txt'), join(folder, 'other.txt'));
    chmodSync(folder, 0o750);
    const { manifest, output } = await rehearsed(base, 'echo x > c.txt; cat other.txt; stat -c %a .');
    expect(output).toBe('c\n750\n');
    expect(kinds(manifest)).toEqual({ 'c.txt': 'changed' });
    expect(lstatSync(folder).mode & 0o777).toBe(0o750);
  });

  it('is stopped with all its processes, and its changes up to then are reported', async () => {
    const { manifest, exitCode } = await rehearsed(
      base,
      'echo 1 > early; (setsid sh -c "trap : TERM HUP; sleep 1; echo 2 > late; sleep 100" >/dev/null 2>&1 &) ; exit 3',
    );
    expect(exitCode).toBe(3);
    expect(kinds(manifest)).toEqual({ early: 'created' });
    const upper = join(manifest.place, 'u');
    expect(readdirSync(upper)).toEqual(['early']);
    expect(
      execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }),
    ).not.toMatch(/echo 2 > late/);
  });

  it('is stopped by its signal', async () => {
    const stop = new AbortController();
    const running = rehearsed(base, 'echo x > made; echo ready > /tmp/ready; sleep 1000', {
      signal: stop.signal,
    });
    const ready = join(base, 'data/tmp/thread/ready');
    const looking = setInterval(() => existsSync(ready) && stop.abort(), 5);
    const { manifest } = await running;
    clearInterval(looking);
    expect(kinds(manifest)).toEqual({ made: 'created' });
  });

  it('runs one at a time per thread', async () => {
    const runs = await Promise.all(
      [1, 2, 3].map(() => rehearsed(base, 'test ! -e /tmp/busy && touch /tmp/busy && rm /tmp/busy')),
    );
    expect(runs.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
  });

  it('reports conflicts if the folder changed during the run', async () => {
    const running = rehearsed(
      base,
      'echo 1 >> c.txt; echo 1 >> src/a.txt; rm src/b.txt; echo 1 >> deep/er/d.txt; : > /tmp/ready; while [ -e /tmp/ready ]; do sleep 0.01; done',
      { layer: 'watched' },
    );
    const ready = join(base, 'data/tmp/thread/ready');
    await expect.poll(() => existsSync(ready), { timeout: 20_000 }).toBe(true);
    // Each file that the command touched is copied immediately. A copy has its name when it is known to be of the right version.
    const copies = join(base, 'data/layers/watched/base');
    const inCopies = () =>
      readdirSync(copies)
        .filter((name) => !name.endsWith('.part'))
        .map((name) => readFileSync(join(copies, name), 'utf8'));
    await expect.poll(() => inCopies().toSorted(), { timeout: 20_000 }).toEqual(['a\n', 'b\n', 'c\n', 'd\n']);
    writeFileSync(join(folder, 'c.txt'), 'by the person\n');
    writeFileSync(join(folder, 'src/b.txt'), 'by the person\n');
    rmSync(join(folder, 'deep/er/d.txt'));
    rmSync(ready);
    const { manifest } = await running;
    expect(manifest.changes.map(({ path, kind, conflict }) => [path, kind, conflict])).toEqual([
      ['c.txt', 'changed', 'changed'],
      ['deep/er/d.txt', 'changed', 'changed'],
      ['src/a.txt', 'changed', undefined],
      ['src/b.txt', 'deleted', 'changed'],
    ]);
    // The diff is against what the command saw.
    for (const [path, was] of [
      ['c.txt', 'c\n'],
      ['deep/er/d.txt', 'd\n'],
      ['src/b.txt', 'b\n'],
    ] as const)
      expect(Buffer.from((await readChange(manifest, path)).before ?? []).toString()).toBe(was);
    const { kept, conflicts } = await keep(manifest);
    expect([kept, conflicts.map(({ path }) => path)]).toEqual([
      ['src/a.txt'],
      ['c.txt', 'deep/er/d.txt', 'src/b.txt'],
    ]);
    expect(readFileSync(join(folder, 'c.txt'), 'utf8')).toBe('by the person\n');
    expect(existsSync(join(folder, 'deep/er/d.txt'))).toBe(false);
  });

  it('says so if the command made a path that is too long, and leaves nothing', async () => {
    const deep = 'for i in $(seq 25); do mkdir $1; cd $1; done; echo x > x';
    const ran = rehearsed(base, `set -- ${'a'.repeat(200)}; ${deep}`);
    await expect(ran).rejects.toThrow('The command made a path that is too long.');
    expect(readdirSync(join(base, 'data/layers'))).toEqual([]);
  });

  it('recognizes a rename that the layer cannot do, and does not blame the program', async () => {
    const { unfit } = await rehearsed(base, `node -e "require('fs').renameSync('src', 'moved')"`);
    expect(unfit).toBe('rename');
    git('init', '-q');
    git('add', '.');
    // The exit code is that of the last command.
    const moved = await rehearsed(base, 'git mv src moved; git status --short | head -5');
    expect([moved.unfit, moved.exitCode]).toEqual(['rename', 0]);
    const piped = await rehearsed(base, `node -e "require('fs').renameSync('src', 'moved')" 2>&1 | tail -20`);
    expect([piped.unfit, piped.exitCode]).toEqual(['rename', 0]);
    const python = await rehearsed(
      base,
      `echo "OSError: [Errno 18] Invalid cross-device link: 'src' -> 'moved'"; ls`,
    );
    expect([python.unfit, python.exitCode]).toEqual(['rename', 0]);
    const other = await rehearsed(base, 'mv src moved; echo "EXDEV is a cross-device link"');
    expect([other.unfit, other.manifest.changes.length > 0]).toEqual([undefined, true]);
  });

  it('recognizes a change of the permissions of the folder itself, also one that closes it', async () => {
    const closed = await rehearsed(base, 'chmod 711 .; chmod 000 .');
    expect([closed.unfit, closed.exitCode]).toEqual(['mode', 0]);
    const same = await rehearsed(base, 'old=$(stat -c %a .); chmod 711 .; chmod $old .; echo x > x');
    expect([same.unfit, same.manifest.changes.map(({ path }) => path)]).toEqual([undefined, ['x']]);
  });

  it.skipIf(!mayBeNobody)(
    `recognizes a change of another user's file that the layer cannot do${noteOnNobody}`,
    async () => {
      const foreign = [join(folder, 'c.txt')];
      chmodSync(join(folder, 'c.txt'), 0o664);
      const { unfit, manifest } = await rehearsed(base, 'echo more >> c.txt', { as: 'nobody', foreign });
      expect([unfit, manifest.changes]).toEqual(['owner', []]);
    },
  );

  it('works in a folder that only root can list, and in one with an external worktree', async () => {
    mkdirSync(join(base, 'home/tree'));
    git('init', '-q', '-b', 'main');
    git('add', '.');
    git('commit', '-qm', 'first');
    git('worktree', 'add', '-q', join(base, 'home/tree/one'));
    const { output, exitCode } = await rehearsed(base, 'git log --format=%s', {
      folder: join(base, 'home/tree/one'),
    });
    expect({ output, exitCode }).toEqual({ output: 'first\n', exitCode: 0 });
  });
});
