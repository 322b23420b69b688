import { describe, expect, it } from 'vitest';
import { analyzeShell } from './bash/analyze';
import { isForbidden } from './forbidden-commands';

const places = {
  folder: '/home/me/project',
  cwd: '/home/me/project',
  home: '/home/me',
  dataDir: '/home/me/.data',
  resolveBinary: (name: string) => `/usr/bin/${name}`,
};

/** Whether a rule that forbids `words` blocks the line. */
const stops = (words: string, line: string, exact = false): boolean =>
  analyzeShell(line, places).parts.some((part) =>
    isForbidden({ kind: 'command', words: words.split(' '), exact }, part),
  );

describe('a rule that forbids a command', () => {
  it.each([
    ['npm install', 'npm i left-pad'],
    ['npm install', 'npm add left-pad'],
    ['npm install', 'npm isntall left-pad'],
    ['npm install', 'npm inst'],
    ['npm install', 'npm insta'],
    ['npm install', 'npm --prefix sub i'],
    ['npm install', 'npm --silent i'],
    ['npm install', 'npm ci'],
    ['npm install', 'npm clean-install'],
    ['npm install', 'npm it'],
    ['npm install', 'npm cit'],
    ['npm install', 'NPM i'],
    ['npm i', 'npm install'],
    ['npm i', 'npm add x'],
    ['npm ci', 'npm ic'],
    ['npm uninstall', 'npm r x'],
    ['npm publish', 'npm publ'],
    ['npm test', 'npm t'],
    ['npm test', 'npm run test'],
    ['npm test', 'npm run-script test --bail'],
    ['npm run test', 'npm tst'],
    ['npm run build', 'npm rum build'],
    ['npm exec', 'npx x'],
    ['npx', 'npm exec x'],
    ['npx', 'npm x x'],
    ['npm', 'npx x'],
    ['pnpm install', 'pnpm i'],
    ['pnpm install', 'pnpm add x'],
    ['pnpm run build', 'pnpm build'],
    ['pnpm build', 'pnpm run build'],
    ['pnpm dlx', 'pnpx x'],
    ['yarn install', 'yarn'],
    ['yarn install', 'yarn --frozen-lockfile'],
    ['yarn install', 'yarnpkg add x'],
    ['yarn build', 'yarn run build'],
    ['bun install', 'bun a x'],
    ['bun x', 'bunx x'],
    ['git push', 'git p'],
    ['git push', 'git-push origin'],
    ['git push', '/usr/lib/git-core/git-push'],
    ['git push', "bash <<'E'\ncd sub\ngit push\nE"],
    ['git push', 'env X=1 sh -s now <<E\ngit push $x\nE'],
    ['git push', "sh <<< 'git push'"],
    ['git push', 'cat <<E | grep -v x | bash\ngit push\nE'],
    ['git push', "echo 'git push' | sh"],
    ['git push', "printf 'cd x\\ngit push\\n' | timeout 5 sh -e"],
    ['git push', "[ -v 'a[$(git push)]' ]"],
    ['git push', "[[ 'a[$(git push)]' -eq 0 ]]"],
    ['git push', 'git --no-pager -C sub p'],
    ['git push', 'git -c alias.x=push x origin'],
    ['git push', 'git -C sub send-pack x'],
    ['git add', 'git stage .'],
    ['git fetch', 'git pull'],
    ['cargo build', 'cargo b'],
    ['cargo publish', 'cargo shipit'],
    ['gh pr merge', 'gh land'],
    ['pip install', 'pip3 install x'],
    ['pip install', 'pip3.11 install x'],
    ['pip install', 'python3 -m pip install x'],
    ['pip install', 'python -I -m pip install x'],
    ['apt install', 'apt-get install x'],
    ['brew uninstall', 'brew rm x'],
    ['composer require', 'composer req x'],
    ['svn commit', 'svn ci'],
    ['docker run', 'docker container run x'],
  ])('%s covers %s', (words, line) => {
    expect(stops(words, line)).toBe(true);
  });

  it.each([
    ['git push', 'pnpm exec git push'],
    ['git push', 'pnpm git push'],
    ['git push', 'yarn exec git push'],
    ['git push', 'npx -- git push'],
    ['git push', 'bundle exec git push'],
    ['git push', 'poetry run git push'],
    ['git push', 'corepack pnpm exec git push'],
    ['npm install', 'corepack npm i'],
    ['npm install', 'cross-env A=1 npm i'],
    ['npm install', 'nice npx cross-env A=1 npm i'],
    ['git push', 'npx /usr/bin/git push'],
    // Words that arrive when it runs.
    ['git push', 'echo push | xargs git'],
    ['git push', 'echo push | xargs -n 1 git -C sub'],
    ['git push', 'echo push | parallel git'],
    ['npm install', 'echo i left-pad | xargs npm'],
    // Options that nobody knows, and programs that nobody knows.
    ['git push', 'nice --unheard-of git push'],
    ['rm', 'nice --unheard-of rm x'],
    ['git push', "env -S 'git push'"],
    ['git push', 'chronic git push'],
    ['rm', 'chronic rm x'],
    ['git push', "hyperfine --runs 1 'git push'"],
    ['git push', "hyperfine 'git push'"],
    ['rm', "hyperfine 'rm x'"],
    ['git push', "hyperfine 'cd sub && nice git push'"],
    ['git push', "tmux new-session -d 'git push'"],
    ['git push', "tar -cf x --to-command='git push' y"],
    ['git push', "alias x='git push'; x"],
    ['git push', 'direnv exec . git push'],
    ['rm', 'setlock lock rm x'],
    ['git push', 'some-runner --fast /usr/bin/git -C sub push'],
    ['git push', "some-runner 'git push origin'"],
    ['git push', 'X=nice; $X git push'],
    ['git push', "csh -c 'git push'"],
    ['git push', "tcsh -fc 'git push'"],
    ['git push', "nu -c 'git push'"],
    ['git push', "git rebase -x 'git push' main"],
    ['git push', "git -C sub rebase -i --exec='cd x; git push' main"],
    ['rm', "git rebase -ix 'rm x' main"],
    ['git push', "git submodule foreach 'git push'"],
    ['git push', 'git submodule --quiet foreach --recursive git push'],
    ['npm test', 'git bisect run npm t'],
    ['git push', "git filter-branch --tree-filter 'git push'"],
    ['git push', "git difftool -x 'git push'"],
    ['git push', "npx -c 'git push'"],
    ['git push', "npm exec --call='cd x && git push'"],
    ['git push', "npx concurrently 'git push' 'npm test'"],
    ['git push', "pnpm exec -c 'git push'"],
    ['git push', "yarn concurrently 'git push'"],
    ['git push', "ssh host 'git push'"],
    ['git push', 'docker exec -it box git push'],
    ['git push', "docker run --rm image sh -c 'git push'"],
  ])('%s covers it when another program runs it: %s', (words, line) => {
    expect(stops(words, line)).toBe(true);
  });

  it.each([
    ['git push', "x='git push'; $x"],
    ['git push', 'x=\'git push\' && eval "$x"'],
    ['git push', 'export x=\'git push\'; bash -c "$x"'],
    ['git push', 'x=git; $x push'],
    ['git push', 'x=ls; x=git; "$x" push'],
    ['git push', `a=(git push); "\${a[@]}"`],
    ['git push', `a=g; b=it; \${a}$b push`],
    ['git push', "for c in ls 'git push'; do $c; done"],
    ['git push', "x=git; x+=' push'; $x"],
    ['git push', 'a=git; b="$a push"; $b origin'],
    ['git push', `\${x:-git} push`],
    ['npm install', 'i=install; npm $i left-pad'],
    ['rm', 'r=rm; $r x'],
    ['rm', "x='rm -rf a'; nice $x"],
    ['git push', 'set -- git; $1 push'],
    ['git push', 'read -r x y <<< "git push"; $x $y'],
    ['git push', 'printf -v x git; $x push'],
    ['git push', `: \${x:=git}; $x push`],
  ])('%s covers it when variables of the line stand for it: %s', (words, line) => {
    expect(stops(words, line)).toBe(true);
  });

  it.each([
    ['git push', 'bash <(echo git push)'],
    ['git push', "source <(printf 'git push\\n')"],
    ['git push', 'bash < <(echo git push)'],
    ['git push', '. /dev/stdin <<< "git push"'],
    ['git push', 'echo git push | bash -'],
    ['git push', "echo 'git push' | at now"],
    ['git push', 'batch <<E\ngit push\nE'],
    ['git push', "echo 'git push' | ssh host"],
    ['git push', 'printf "git push" | xargs -I{} sh -c "{}"'],
    ['git push', 'echo push | xargs -I{} git {}'],
    ['git push', "GIT_EDITOR='git push' git commit"],
    ['git push', "GIT_EDITOR='git push' sh -c 'git commit'"],
    ['git push', "env GIT_EDITOR='git push' git commit"],
    ['git push', "export PAGER='git push'; man x"],
    ['curl', 'GIT_PAGER=curl git log'],
    ['git push', "git -c core.pager='git push' log"],
    ['git push', 'nice git -C x -c diff.external=\'sh -c "git push"\' diff'],
    ['git push', "git -c credential.helper='!git push' fetch"],
    ['git push', "git config core.pager 'git push'"],
    ['git push', "git grep --open-files-in-pager='git push' x"],
    ['git push', "git fetch --upload-pack='git push' x"],
    ['git push', "git clone 'ext::git push' x"],
    ['git push', '$(which git) push'],
    ['git push', '`which git` push'],
    ['git push', 'x=$(command -v git); "$x" push'],
    ['git push', 'bash -c "$(echo $(echo git) push)"'],
    ['git push', '{git,push}'],
    ['git push', 'git$IFS""push'],
    ['git push', `python -c 'import os; os.system("git push")'`],
    ['git push', `timeout 5 python3 -c "subprocess.run(['git', 'push'])"`],
    ['git push', `python3 -c 'os.execvp("git", ["git", "push"])'`],
    ['git push', "python3 <<E\nos.system('git push')\nE"],
    ['git push', `echo "os.system('git push')" | python3`],
    ['git push', `node -e "require('child_process').execSync('git push')"`],
    ['git push', `node -e "spawn('git', ['push'])"`],
    ['git push', 'perl -e \'system("git push")\''],
    ['git push', "ruby -e '`git push`'"],
    ['git push', 'php -r \'shell_exec("git push");\''],
    ['git push', `awk 'BEGIN{system("git push")}'`],
    ['git push', `awk 'BEGIN{"git push" | getline}'`],
    ['curl', `python -c 'os.system("curl x")'`],
    ['git push', "fish -C 'git push'"],
    ['git push', "fish -C x -c 'git push'"],
    ['git push', "rsync -e 'git push' a b"],
    ['git push', "ssh -o ProxyCommand='git push' h"],
    ['git push', "vim -c ':!git push' x"],
    ['git push', "sed '1e git push' x"],
    ['curl', "watch 'curl x'"],
    ['curl', "npx -c 'curl x'"],
    ['git push', "parallel ::: 'git push'"],
  ])('%s covers it in text that a program runs: %s', (words, line) => {
    expect(stops(words, line)).toBe(true);
  });

  it.each([
    ['npm install', 'npm test'],
    ['npm install', 'npm run install-hooks'],
    ['npm install', 'npm view install'],
    ['npm install', 'pnpm install'],
    ['npm ci', 'npm install'],
    ['npm test', 'npm run test:unit'],
    ['npm run build', 'npm run build:all'],
    ['npm exec', 'npm run exec'],
    ['pnpm build', 'pnpm test'],
    ['git push', 'git status'],
    ['git push', 'git -C sub status'],
    ['git push', 'git -c core.pager=cat --git-dir x log'],
    ['git push', 'git --version'],
    ['cargo publish', 'cargo +nightly test'],
    ['npm publish', 'npm --prefix p test'],
    ['git push', 'git log --grep push'],
    ['git push', 'git stash push'],
    ['git pull', 'git fetch'],
    ['cargo publish', 'cargo test'],
    ['pip install', 'python -m pytest'],
    ['yarn install', 'yarn build'],
    ['git push', 'poetry lock'],
    ['git push', 'echo git push'],
    ['git push', 'grep -r "git push" docs'],
    ['git push', 'find . -name x | xargs grep "git push"'],
    ['git push', 'echo a | xargs git add'],
    ['git push', 'git commit -m "git push"'],
    ['git push', 'some-tool git status'],
    ['rm', 'docker rm x'],
    ['rm', 'some-tool rm x'],
    ['git push', 'cat > notes.md <<E\ngit push\nE'],
    ['git push', 'bash x.sh <<E\ngit push\nE'],
    ['git push', "echo 'git push' | grep push; sh -c ls"],
    ['git push', 'git-lfs pull'],
    ['git push', "git rebase -x 'npm test' main"],
    ['git push', 'git submodule update --init'],
    ['git push', 'git bisect start'],
    ['git push', 'docker push image'],
    ['git push', 'ssh host ls'],
    ['rm', 'docker run --rm image rm x'],
    ['git push', 'm=\'git push later\'; git commit -m "$m"'],
    ['git push', "x='git push'; echo $x"],
    ['git push', `python -c 'print("git push")'`],
    ['git push', "node -e 'console.log(`git push`)'"],
    ['git push', 'cat <(echo git push)'],
    ['git push', 'grep `echo git push` x'],
    ['git push', "awk '/git push/' x"],
    ['git push', "sed 's/git push/x/' f"],
    ['git push', "git log --grep='git push'"],
    ['git push', "MESSAGE='git push' git commit"],
    ['npm test', "git -c user.name='npm test' status"],
    ['rm', 'man rm'],
    ['curl', "python -c 'run_curl()'"],
  ])('%s does not cover %s', (words, line) => {
    expect(stops(words, line)).toBe(false);
  });

  it('covers a command with very many words within a moment', () => {
    const started = process.cpuUsage();
    const others = Array.from({ length: 1_000 }, (_, at) => `word${at}`).join(' ');
    expect(stops('git push', `some-runner ${others} git push`)).toBe(true);
    expect(stops('git push', `some-runner ${'git '.repeat(2_000)}`)).toBe(true);
    expect(stops('git push', `some-runner ${others}`)).toBe(false);
    expect(process.cpuUsage(started).user / 1_000_000).toBeLessThan(10);
  });

  it.each([
    ['values that double each other', `x=ab; ${'x="$x$x"; '.repeat(200)}$x`],
    ['a long value that many commands use', `x='${'a '.repeat(2_000)}'; ${'$x; '.repeat(1_500)}`],
    ['many values that many commands use', `${'x=abc; x+=de; '.repeat(300)}${'$x y; '.repeat(900)}`],
    ['a command with many variables', `x=${'a'.repeat(900)}; git ${'$x'.repeat(4_000)}`],
    ['code with many calls', `python -c '${'run(["a", '.repeat(3_000)}'`],
    ['code with many quotes', `perl -e '${'qx{ | " '.repeat(3_000)}'`],
    ['many substitutions', `${'$(echo '.repeat(5_000)}`],
    ['many braces', '{a,'.repeat(6_000)],
    ['many settings', `git ${'-c a=b '.repeat(3_000)}`],
  ])('covers nothing and takes a moment for %s', (_, line) => {
    const started = process.cpuUsage();
    for (const words of ['git push', 'npm install', 'rm']) stops(words, line);
    expect(process.cpuUsage(started).user / 1_000_000).toBeLessThan(10);
  });

  it('with exact words covers the same words under other names, and no others', () => {
    expect(stops('npm install', 'npm i', true)).toBe(true);
    expect(stops('npm install', 'npm i x', true)).toBe(false);
    expect(stops('npm run test', 'npm t', true)).toBe(true);
  });
});
