import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Rule } from '../contract/control';
import { programFinder } from './bash/paths/programs';
import { judgeCommand } from './command';
import { whyAskedAllTheSame } from './confined';
import { mayBeTried } from './rehearsal';
import { stops } from './testing/judged';

describe('a rule that forbids git push covers it in text that a program runs', () => {
  it.each([
    // Settings of package managers.
    "npm --script-shell='git push' run x",
    "npm --script-sh 'git push' run x",
    "npm run x --script-shell='git push'",
    "npm config set script-shell 'git push'",
    "npm c set script-shell='git push'",
    "npm set editor 'git push'",
    "npm --viewer='git push' help x",
    "pnpm config set script-shell 'git push'",
    "npm_config_script_shell='git push' npm run x",
    "NPM_CONFIG_EDITOR='git push' npm edit x",
    // Variables.
    `GIT_CONFIG_PARAMETERS="'core.pager=git push'" git log`,
    `GIT_CONFIG_PARAMETERS="'a.b=c' 'alias.x'='!git push'" git x`,
    "GIT_SSH_COMMAND='git push' git fetch",
    "GIT_EXTERNAL_DIFF='git push' git diff",
    "PAGER='cat x; git push' git log",
    "X='git push'; PAGER=$X git log",
    "read PAGER <<< 'git push'; export PAGER; git log",
    "printf -v GIT_EDITOR 'git push'; git commit",
    "f() { GIT_PAGER=$1 git log; }; f 'git push'",
    "SHELL='git push' script x",
    "CC='git push' make",
    "PS1='$(git push)' bash -i",
    "MAKEFLAGS='--eval=x:;git\\ push' make",
    "TAR_OPTIONS='--to-command=git push' tar xf a",
    // Words that `xargs` adds to a launcher.
    'echo git push | xargs env',
    'echo push | xargs env git',
    'echo git push | xargs nice -n 5',
    'echo git push | xargs timeout 5',
    'echo git push | xargs npx',
    "echo 'git push' | xargs -0 sh -c",
    `echo git push | xargs sh -c '"$@"' _`,
    "echo git push | xargs sh -c '$0 $1'",
    'echo git push | xargs -J % env %',
    'echo git push | parallel',
    // Scripts of sed.
    "sed -f - <<< 'e git push'",
    "echo '1e git push' | sed -nf - x",
    'sed --file=- x <<E\n1!e git push\nE',
    "sed --expression='1e git push' x",
    "sed -e 'p;e git push' y",
    "sed '/a/,/b/ e git push' y",
    "sed '\\,a,e git push' y",
    "sed 's,x,git push,;T;e' y",
    // Editors and debuggers.
    "vim -c 'silent !git push'",
    "vim '+:sil! !git push' x",
    "vim --cmd '%!git push'",
    "vim -c 'r !git push'",
    "vim -c 'term git push'",
    `vim -c "call system('git push')"`,
    `vim -c 'silent exe "!git push"'`,
    `vim -c ":py3 import os; os.system('git push')"`,
    "vim -c 'set makeprg=git\\ push|make'",
    "vimdiff -c 'au VimEnter * !git push' a b",
    "ex -s x <<< 'silent !git push'",
    "ed -s x <<< 'r !git push'",
    `emacs --batch --eval '(shell-command "git push")'`,
    `gdb -ex 'python import os; os.system("git push")'`,
    "dc -e '!git push'",
    // Patterns that may stand for the program or a word.
    '/usr/bin/gi? push',
    '/usr/bin/g[i]t push',
    '/usr/*/g[[:alpha:]]t push',
    '/usr/bin/g@(it) push',
    'nice ./gi* push',
    '/usr/bin/en? git push',
    "/bin/b?sh -c 'git push'",
    'find . -exec /usr/bin/gi? push \\;',
    'echo x | xargs /usr/bin/gi? push',
    'npx gi? push',
    'git pus?',
    // Code in other languages.
    `groovy -e '"git push".execute()'`,
    `groovy -e "['git','push'].execute()"`,
    `groovy -e 'def p = "git push"; p.execute()'`,
    `scala -e 'import sys.process._; "git push".!'`,
    `scala -e 'import sys.process._; Seq("git","push").!!'`,
    `scala -e 'new ProcessBuilder("git", "push").start()'`,
    `elixir -e 'System.cmd("git", ["push"])'`,
    `elixir --eval 'System.cmd("git", ~w(push))'`,
    `elixir -e ':os.cmd(~c"git push")'`,
    `elixir -e 'Port.open({:spawn_executable, "/usr/bin/git"}, [args: ["push"]])'`,
    `erl -noshell -eval 'os:cmd("git push").'`,
    `erl -eval 'open_port({spawn,"git push"},[]).'`,
    `kotlin -e 'Runtime.getRuntime().exec("git push")'`,
    `ocaml -e 'Sys.command "git push"'`,
    `crystal eval 'system("git push")'`,
    `sbcl --eval '(run-program "git" (list "push"))'`,
    `bb '(shell "git push")'`,
    `R -e 'system("git push")'`,
    `deno eval 'new Deno.Command("git", {args: ["push"]}).output()'`,
  ])('%s', (line) => expect(stops('git push', line)).toBe(true));
});

describe('a rule that forbids git push does not cover', () => {
  it.each([
    "npm --loglevel='git push' run x",
    "npm config set message 'git push'",
    "npm config get editor 'git push'",
    "npm run build -- --title='git push'",
    "TITLE='git push' npm test",
    'echo git push | xargs echo',
    'echo ls push | xargs env',
    "echo 'git push' | xargs -I{} grep {} docs",
    "sed -f - <<< 's/git push/x/'",
    "sed 's/git push/x/;s/y/z/' f",
    "vim 'git push.md'",
    "ed x <<< '/git push/d'",
    '/usr/bin/l? push',
    '/usr/bin/gi? status',
    'ls git* push*',
    `scala -e 'val x = "git push"; println(x)'`,
    `elixir -e 'IO.puts("git push")'`,
    `groovy -e 'println "git status".execute()'`,
    `python3 -c 'print("git push")'`,
  ])('%s', (line) => expect(stops('git push', line)).toBe(false));
});

describe('a command that is known only at run time', () => {
  let folder = '';
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'deepdesk-texts-')));
    mkdirSync(join(folder, '.git'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const rule = (effect: Rule['effect'], ...words: string[]): Rule => ({
    id: words.join(' '),
    createdAt: 0,
    effect,
    match: { kind: 'command', words, exact: false },
    scope: { kind: 'person' },
  });
  async function judged(command: string, rules: readonly Rule[] = []) {
    const on = {
      folder,
      cwd: folder,
      home: join(folder, 'home'),
      dataDir: join(folder, 'data'),
      ...programFinder('/usr/bin:/bin', folder),
    };
    const found = await judgeCommand({ command }, on, rules);
    return { found, asks: whyAskedAllTheSame(found, on) !== null };
  }

  it.each([
    'sed -f x.sed y',
    'sed -nf x.sed y',
    'sed --file=x.sed y',
    'vim -S x.vim y',
    'vim -c "source x" y',
    'emacs -batch -l x.el',
    'gdb -x commands',
    'cat x | xargs env',
    'xargs -a x nice',
    'PAGER=$X git log',
    'X=$Y; export GIT_EDITOR="$X"; git commit',
    '/usr/bin/gi? push',
    `scala -e 'new ProcessBuilder(args).start()'`,
    `groovy -e 'x.execute()'`,
    `elixir -e 'Port.open(x, [])'`,
    `crystal eval 'system(x)'`,
  ])(
    'asks where changes in the folder do not, and despite a rule that allows its program: %s',
    async (line) => {
      const { found, asks } = await judged(line, [rule('allow', line.split(' ')[0] ?? '')]);
      expect(found.verdict).toBe('ask');
      expect(found.rules).toEqual([]);
      expect(asks).toBe(true);
    },
  );

  it.each(['sed -f x.sed y', 'cat x | xargs env', 'eval "$X"', 'vim -S x y'])(
    'is not tried in a sandbox if a rule may forbid it: %s',
    async (line) => {
      const { found } = await judged(line);
      expect(mayBeTried(found, [rule('deny', 'git', 'push')])).toBe(false);
      expect(mayBeTried(found, [rule('allow', 'git', 'push')])).toBe(true);
    },
  );

  it.each(['sed -n 1p x', 'vim x', 'vim +12 x', 'PAGER=cat git log', 'cat x | xargs wc', 'ls *.md'])(
    'does not include %s',
    async (line) => expect((await judged(line)).asks).toBe(false),
  );
});
