import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { removeTestFolder } from '../../testing/bubblewrap';
import { keep } from '../index';
import { folderIn } from '../testing/options';
import { makeBase, note, rehearsed, whyNoRehearsal, writeIn } from '../testing/place';

const FILES = { 'src/a.txt': 'a\n', 'src/b.txt': 'b\n', 'c.txt': 'c\n', 'deep/er/d.txt': 'd\n', name: 'n\n' };
const ODD =
  'ln c.txt hard.txt; mkfifo pipe; ln -s nowhere dangling; ln -s loop2 loop1; ln -s loop1 loop2; mkdir empty; truncate -s 10M sparse; chmod 4755 name';

/** Commands for Bash that end the same with and without a layer. */
const COMMANDS = [
  'rm hard.txt',
  'echo x >> hard.txt',
  'mv src/a.txt deep',
  'mv deep src/moved',
  'rm -r deep; mv src deep',
  'mkdir new; mv new src/new2; mv src/new2 deep/',
  'mkdir x; mv x empty2; rmdir empty; mv empty2 empty',
  'mkdir x; touch x/f; mv -T x empty',
  'truncate -s 20M sparse; printf y | dd of=sparse bs=1 seek=5000000 conv=notrunc 2>/dev/null',
  // More than is saved of previous contents.
  'truncate -s 300M big',
  'rm pipe; echo f > pipe',
  'rm pipe',
  'ln -sf src dangling',
  'rm loop1; ln -s loop2 loop3',
  'ln -s . src/self; ln -s ../src deep/up',
  'mv src SRC; mv SRC/a.txt SRC/A.txt; touch SRC/a.txt',
  'chmod 2755 src; chmod 1777 deep; chmod 755 name; chmod 000 src/a.txt',
  'rm -rf ./* .[!.]* 2>/dev/null; true',
  'rm -rf "$PWD" 2>/dev/null; true',
  'find . -delete; touch left',
  String.raw`touch -- "$(printf 'new\nline')" "$(printf 'tab\tx')" "$(printf '\xff\xfe')" ' lead' 'trail ' -rf '\back' '\xff'`,
  String.raw`mkdir "$(printf 'd\nn')"; echo x > "$(printf 'd\nn')/f"; mv src/a.txt "$(printf 'd\nn')/"`,
  'touch .deepdesk-trial-x .x.1-abcdefabcdef.deepdesk-tmp .wh.a .wh..opq',
  'n=$(printf "%0255d" 0); m=$(printf "%0251d" 0); touch $n; mkdir $m; echo x > $m/$n',
  'd=.; for i in $(seq 60); do d=$d/ddddddddddddddddddddd; done; mkdir -p $d; echo x > $d/f',
  'rm -rf deep && ln -s src deep',
  'rm -rf src && ln -s ../../outside src',
  'rm c.txt; mkdir -p c.txt/c.txt; echo 1 > c.txt/c.txt/c.txt',
  'rm -r src; echo file > src; rm src; mkdir src; echo b > src/b.txt',
  'touch -d 1970-01-01 src/new; touch -d 2100-01-01 src/later',
  'cp -a src src2; rm -r src; mv src2 src',
  'mkdir -m 0 locked; mkdir -m 000 deep/l2',
  'mkdir -p p/q; echo x > p/q/f; chmod 500 p/q; chmod 500 p',
  'mkdir -p many/{1..300}; for i in {1..300}; do echo $i > many/$i/f; done; rm -rf src',
  'ln -s "$(printf "%04000d" 0)" long',
  'mkdir -p "a:b,c\\\\d/x"; mv src "a:b,c\\\\d/"; chmod 600 pipe',
  // The overlay's own marks, by `setxattr` of x64.
  `perl -e 'for my $n (qw(opaque whiteout xwhiteouts redirect metacopy origin)) { for my $p (qw(src src/a.txt deep deep/er)) { my ($at, $name, $value) = ($p, "user.overlay.$n", "y"); syscall(188, $at, $name, $value, 1, 0) } }'; echo x >> src/b.txt; rm deep/er/d.txt`,
];

let base = '';
let folder = '';
beforeEach(() => {
  base = makeBase();
  folder = folderIn(base);
  writeIn(folder, FILES);
  execFileSync('bash', ['--norc', '-c', ODD], { cwd: folder });
});
afterEach(() => removeTestFolder(base));

/** Without the contents that this user may not read. */
const stateOf = (at: string) =>
  execFileSync(
    'bash',
    [
      '--norc',
      '-c',
      'find . -printf "%P %y %m %l %n\\n" | sort; find . -type f -print0 | sort -z | xargs -0r sha256sum; true',
    ],
    { cwd: at, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
  );

describe.skipIf(whyNoRehearsal !== null)(`a command whose changes are all kept${note}`, () => {
  it.each(COMMANDS)('leaves what it leaves without a layer, and nothing before: %s', async (command) => {
    const twin = join(base, 'twin');
    execFileSync('cp', ['-a', folder, twin]);
    // The folder itself stays, as in a layer.
    execFileSync('bash', ['--norc', '-c', command.replace('"$PWD"', './{*,.[!.]*}')], {
      cwd: twin,
      stdio: 'pipe',
    });
    const before = stateOf(folder);
    const { manifest, unfit } = await rehearsed(base, command);
    expect([stateOf(folder), unfit]).toEqual([before, undefined]);
    expect((await keep(manifest)).conflicts).toEqual([]);
    expect(stateOf(folder)).toBe(stateOf(twin));
    expect(readdirSync(join(base, 'outside'))).toEqual([]);
  });

  it('leaves separate files for a new name of a file, and no pipes', async () => {
    const { manifest } = await rehearsed(base, 'ln src/a.txt src/two; mkfifo pipe2; chmod 6755 src/b.txt');
    expect((await keep(manifest)).conflicts).toEqual([]);
    expect(readFileSync(join(folder, 'src/two'), 'utf8')).toBe('a\n');
    expect(statSync(join(folder, 'src/a.txt')).nlink).toBe(1);
    expect(existsSync(join(folder, 'pipe2'))).toBe(false);
    expect(lstatSync(join(folder, 'src/b.txt')).mode & 0o7777).toBe(0o755);
  });

  it('reports a file over the limit as the limit, not as an empty file alone', async () => {
    const { limit } = await rehearsed(base, 'truncate -s 5G big');
    expect(limit).toBe('bytes');
  });
});
