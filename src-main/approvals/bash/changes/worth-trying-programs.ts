import { isInterpreter } from '../parsing/interpreters';

/** Programs that exist to change something. */
const CHANGE = new Set(
  `
  rm rmdir unlink shred truncate mv cp ln install mkdir touch tee chmod chown chgrp chattr setfacl dd mkfifo mknod patch
  split csplit rename rsync zip 7z rimraf trash del-cli cmake ninja meson gradle gradlew mvn mvnw sbt ant rake just task
  vitest jest mocha ava karma pytest tox nox rspec phpunit playwright cypress webpack vite rollup esbuild parcel next nuxt
  tsup swc babel sass gcc g++ clang clang++ cc c++ ld rustc javac protoc husky lint-staged changeset lerna nx turbo
  apt-get dnf yum pacman brew snap flatpak apk crontab at batch mount umount ip ifconfig iptables useradd usermod passwd
`
    .trim()
    .split(/\s+/),
);
/** Programs that need another computer, a server or a device. */
const REACH = new Set(
  `
  curl wget aria2c http https xh ssh scp sftp ftp nc ncat netcat socat telnet ping ping6 dig nslookup host whois traceroute
  mtr gh glab hub aws gcloud az kubectl helm docker docker-compose podman nerdctl terraform tofu ansible ansible-playbook
  vagrant heroku vercel netlify fly flyctl wrangler firebase psql mysql mariadb mongo mongosh redis-cli
`
    .trim()
    .split(/\s+/),
);
/** Programs that wait for a person or for time to pass, or that manage other programs. */
const WAIT = new Set(
  `
  vi vim nvim view nano pico emacs ed less more man info top htop btop watch tmux screen fzf gdb lldb sleep yes
  kill pkill killall reboot shutdown halt poweroff systemctl service launchctl xdg-open open start code subl sudo doas su
  pkexec runuser gosu login chroot unshare nsenter nohup setsid disown fg bg printenv gpg pass ssh-add ssh-keygen
  nodemon serve live-server http-server concurrently
`
    .trim()
    .split(/\s+/),
);

/** The first words with which a program only reads. Any other word counts as a change. */
const READING: Readonly<Record<string, RegExp>> = {
  npm: /^(ls|list|ll|la|explain|why|root|prefix|bin|query|help|run$|run-script$|config (get|list|ls)|c (get|list)|pkg get)/,
  pnpm: /^(ls|list|ll|la|why|root|bin|help|config (get|list))/,
  yarn: /^(list|why|bin|help|workspaces (list|info)|config (get|list))/,
  bun: /^(pm ls|pm list)/,
  cargo: /^(tree|metadata|locate-project|read-manifest|pkgid|help|version)/,
  go: /^(list|version|env|doc|help|mod (graph|why|verify))/,
  dotnet: /^(list|--info|--list-sdks|--list-runtimes)/,
  pip: /^(list|show|freeze|check|help|config list)/,
  uv: /^(tree|pip (list|show|freeze|check|tree)|help)/,
  poetry: /^(show|check|env (info|list)|config --list)/,
  conda: /^(list|info|env list)/,
  gem: /^(list|which|environment|contents|specification)/,
  bundle: /^(list|show|info|check|config list)/,
  composer: /^(show|validate|licenses|depends|why)/,
  rustup: /^(show|which|toolchain list|target list|component list)/,
  apt: /^(list|show|policy)/,
  make: /(^| )(-n|--dry-run|--just-print|-q|--question|-p|--print-data-base)( |$)/,
  tar: /^-{0,2}\w*t/,
  unzip: /^-[lZvtp]/,
  gzip: /^-\w*[clt]/,
  gunzip: /^-\w*[clt]/,
  xz: /^-\w*[clt]/,
  bzip2: /^-\w*[ct]/,
  zstd: /^-\w*[clt]/,
  tsc: /(^| )(--noEmit|--showConfig|--listFilesOnly|--help|--all)( |$)/i,
  black: /(^| )(--check|--diff)( |$)/,
  isort: /(^| )(--check|--check-only|-c|--diff)( |$)/,
  rustfmt: /(^| )--check( |$)/,
  env: /\w/,
};
/** Other names of the same programs. */
const SAME: Readonly<Record<string, string>> = { pip3: 'pip', gmake: 'make', bsdtar: 'tar', pipenv: 'pip' };

const GIT_READING = new Set(
  `
  status diff log show blame annotate ls-files ls-tree rev-parse rev-list describe shortlog grep cat-file diff-tree
  diff-index diff-files name-rev merge-base for-each-ref show-ref show-branch count-objects check-ignore check-attr var
  version help whatchanged cherry range-diff verify-commit verify-tag check-ref-format fsck patch-id merge-tree
`
    .trim()
    .split(/\s+/),
);
/** Git commands that list if no name is given. */
const GIT_LISTING: Readonly<Record<string, RegExp>> = {
  branch:
    /^((-[arv]+|--all|--remotes|--verbose|--list|-l|--show-current|--no-color|--(sort|format|points-at|contains|no-contains|merged|no-merged)(=\S*| \S+)?|--color(=\S*)?)( |$))*$|(^| )(--list|-l) /,
  tag: /^((-l|--list|-n\d*|--(sort|format|points-at|contains|merged|no-merged)(=\S*| \S+)?)( |$))*$|(^| )(--list|-l) /,
  stash: /^(list|show)/,
  remote: /^(-v|--verbose|get-url .*)?$/,
  reflog: /^(show.*|-.*|[\w@{}./-]+)?$/,
  config:
    /^(--(local|global|system|worktree|show-origin) )*(-l|--list|list|get .*|--get\S* .*|[\w-]+\.[\w.-]+)$/,
  worktree: /^list/,
  submodule: /^(status|summary)?$/,
  notes: /^(list|show)/,
  bisect: /^(log|view|visualize)/,
  'symbolic-ref': /^(-\S+ )*\S+$/,
};

/** Options of any program that make it write or keep running. */
const WRITING_OPTION =
  /^(--(fix|write|in-place|inplace|save|output|outfile|out-file|out-dir|outDir|outputFile|watch|watchAll|update|updateSnapshot|serve|install|apply|delete|remove)(=.*)?)$/;

/** The same for single programs. */
const WRITES: Readonly<Record<string, RegExp>> = {
  sed: /^-[nErsz]*i|^--in-place/,
  perl: /^-\w*i/,
  sort: /^-o|^--output/,
  tree: /^-o|^-R/,
  gofmt: /^-w/,
  find: /^-(delete|fprint|fprint0|fprintf|fls)$/,
  tail: /^-\w*[fF]|^--follow|^--retry/,
  journalctl: /^-\w*f|^--follow/,
  node: /^--(test|run|watch)/,
  php: /^-S/,
  date: /^-s|^--set/,
  yq: /^-i|^--inplace/,
};
const MODULES_THAT_CHANGE =
  /^(pytest|unittest|tox|nox|http\.server|SimpleHTTPServer|venv|virtualenv|build|twine|ensurepip|compileall|smtpd)$/;

/** The first words with which a package manager needs its registry, or git needs another repository. */
const FETCHES: Readonly<Record<string, RegExp>> = {
  npm: /^(i|in|ins|install|ci|add|update|up|upgrade|audit|outdated|publish|view|info|search|login|whoami|init|create|exec|dedupe|link)\b/,
  pnpm: /^(i|install|add|update|up|upgrade|audit|outdated|publish|dlx|create|fetch|import|$)/,
  yarn: /^(install|add|upgrade|up|audit|outdated|publish|dlx|create|$)/,
  bun: /^(i|install|add|update|upgrade|create|x)\b/,
  bunx: /^/,
  pnpx: /^/,
  cargo: /^(add|install|fetch|update|search|publish|login)\b/,
  go: /^(get|install|mod (download|tidy|vendor))\b/,
  dotnet: /^(restore|add|tool|nuget|new)\b/,
  pip: /^(install|download|wheel|index|search)\b/,
  pipenv: /^(install|update|sync|lock)\b/,
  uv: /^(sync|add|lock|pip (install|sync|compile)|tool|python install)\b/,
  poetry: /^(install|add|update|lock|publish|search)\b/,
  conda: /^(install|create|update|search)\b/,
  gem: /^(install|update|fetch|push|search)\b/,
  bundle: /^(install|update|add|outdated|$)/,
  composer: /^(install|update|require|create-project|search|outdated)\b/,
  rustup: /^(install|update|self|toolchain install|target add|component add)\b/,
  apt: /^(update|upgrade|install|full-upgrade|source)\b/,
  git: /^(fetch|pull|push|clone|ls-remote|send-email|submodule (update|add)|remote (update|show|prune)|lfs)\b/,
};
const SYSTEM_PACKAGES = /^(apt-get|dnf|yum|pacman|brew|snap|flatpak|apk)$/;

/**
 * Whether the words show that a command needs another computer, which a layer cannot reach, or waits there. `hasInput`: it
 * receives input.
 */
export function reachesOrWaits(name: string, values: readonly string[], hasInput = false): boolean {
  if (values.length === 1 && /^(--version|--help|-V|-version|version)$/.test(values[0] ?? '')) return false;
  const waits = WAIT.has(name) && !isBrief(name, values);
  if (REACH.has(name) || waits || SYSTEM_PACKAGES.test(name)) return true;
  const at = name === 'git' ? afterGitOptions(values) : 0;
  const own = Object.hasOwn(SAME, name) && name !== 'pipenv' ? (SAME[name] ?? name) : name;
  if (Object.hasOwn(FETCHES, own) && FETCHES[own]?.test(values.slice(at).join(' ')) === true) return true;
  if (!isInterpreter(name)) return false;
  if (!hasInput && values.every((value) => /^-[iqu]*$/.test(value))) return true;
  const module = values.indexOf('-m');
  return module !== -1 && reachesOrWaits(values[module + 1] ?? '', values.slice(module + 2), hasInput);
}

/** Seconds that a command may sleep without a question. */
const BRIEF = 10;

/** Whether it sleeps for a moment only, or prints variables by name; `printenv` alone shows all of them. */
function isBrief(name: string, values: readonly string[]): boolean {
  if (name === 'printenv') return values.length > 0 && values.every((value) => /^[A-Z_]+$/.test(value));
  const [seconds = ''] = values;
  return (
    name === 'sleep' &&
    values.length === 1 &&
    /^[\d.]+s?$/.test(seconds) &&
    Number.parseFloat(seconds) <= BRIEF
  );
}

function afterGitOptions(values: readonly string[]): number {
  let at = 0;
  while (/^-/.test(values[at] ?? '')) at += /^-[Cc]$/.test(values[at] ?? '') ? 2 : 1;
  return at;
}

/** Whether the words show that a command makes changes, uses the network, or waits. `hasInput`: it receives input. */
export function changesOrWaits(name: string, values: readonly string[], hasInput = false): boolean {
  if (values.length === 1 && /^(--version|--help|-V|-version|version)$/.test(values[0] ?? '')) return false;
  if (values.length === 1 && values[0] === '-v' && !/^(python|env)/.test(name)) return false;
  if (CHANGE.has(name) || REACH.has(name) || WAIT.has(name) || /^(mkfs|mke2fs|fdisk)/.test(name)) return true;
  if (name === 'git') return gitChanges(values);
  const reading = READING[Object.hasOwn(SAME, name) ? (SAME[name] ?? name) : name];
  if (
    Object.hasOwn(READING, Object.hasOwn(SAME, name) ? (SAME[name] ?? name) : name) &&
    reading !== undefined
  )
    return !reading.test(values.join(' '));
  if (isInterpreter(name)) {
    if (!hasInput && values.every((value) => /^-[iqu]*$/.test(value))) return true;
    const at = values.indexOf('-m');
    const module = at === -1 ? undefined : values[at + 1];
    if (module === 'pip') return changesOrWaits('pip', values.slice(at + 2));
    if (module !== undefined && MODULES_THAT_CHANGE.test(module)) return true;
  }
  if (name === 'npx' || name === 'bunx' || name === 'pnpx') {
    const rest = values.slice(values.findIndex((value) => !value.startsWith('-')));
    return values.length === 0 || changesOrWaits(rest[0] ?? '', rest.slice(1), hasInput);
  }
  const writes = Object.hasOwn(WRITES, name) ? WRITES[name] : undefined;
  return values.some((value) => WRITING_OPTION.test(value) || writes?.test(value) === true);
}

function gitChanges(values: readonly string[]): boolean {
  const [command = '', ...rest] = values.slice(afterGitOptions(values));
  if (command === '') return values.length === 0;
  if (rest.some((value) => /^(--output|-O|--open-files-in-pager)/.test(value))) return true;
  if (GIT_READING.has(command)) return false;
  const listing = Object.hasOwn(GIT_LISTING, command) ? GIT_LISTING[command] : undefined;
  return listing?.test(rest.join(' ')) !== true;
}

/** Programs that change what they are given, or leave a file beside it. */
const WRITES_OPERANDS = new Set(
  `
  rm rmdir unlink shred truncate mv ln install mkdir touch tee chmod chown chgrp chattr setfacl mkfifo mknod patch split
  csplit rename rsync rimraf trash del-cli cd pushd zip 7z gzip gunzip bzip2 xz zstd
`
    .trim()
    .split(/\s+/),
);
/** Options whose value is the place for what a program makes. */
const PLACE_FOR_OUTPUT = /^(-[oCPd]|--(out\w*|prefix|root|install[\w-]*|target[\w-]*|dest\w*|dir\w*))/;

/** Whether the program may write to what the word at `index` names. */
export function writesTo(name: string, values: readonly string[], index: number): boolean {
  const value = values[index] ?? '';
  if (WRITES_OPERANDS.has(name) || PLACE_FOR_OUTPUT.test(value)) return true;
  if (name === 'cp' && (index === values.length - 1 || values.includes('-t'))) return true;
  if (PLACE_FOR_OUTPUT.test(values[index - 1] ?? '')) return true;
  const writes = Object.hasOwn(WRITES, name) ? WRITES[name] : undefined;
  return values.some((one) => WRITING_OPTION.test(one) || writes?.test(one) === true);
}

/** Whether the program reads only the beginning of something that has no end. */
export function stopsReading(name: string, values: readonly string[]): boolean {
  if (name === 'head') return true;
  const limits = { dd: /^count=/, od: /^-\w*N/, xxd: /^-l/ };
  const limit = Object.hasOwn(limits, name) ? limits[name as keyof typeof limits] : null;
  return limit !== null && values.some((value) => limit.test(value));
}

/** Programs whose first operand, or every operand, is text: a pattern or a program, never a path. Not `yq`, which prefers a file. */
const FIRST_IS_TEXT = new Set(
  'grep egrep fgrep zgrep rg ag ack sed gsed awk gawk mawk nawk jq perl ruby python python3 node'.split(' '),
);
const ALL_ARE_TEXT = new Set('echo printf tr expr seq : true false basename dirname'.split(' '));

/** Whether the program takes the word at `index` as text, even if it looks like a path. */
export function takesText(name: string, values: readonly string[], index: number): boolean {
  if (ALL_ARE_TEXT.has(name)) return true;
  const value = values[index] ?? '';
  const before = values[index - 1] ?? '';
  if (name === 'find') return /^-(i?name|i?path|i?regex|wholename|printf|regextype)$/.test(before);
  if (name === 'git') return /^(--grep|--author|-S|-G|--format|--pretty|--committer)$/.test(before);
  if (name === 'cut' || name === 'sort' || name === 'column' || name === 'paste')
    return /^-[dts]/.test(value) || /^-[dts]$/.test(before);
  return isPattern(name, values, index);
}

/** Whether the word at `index` is a search pattern, or a program for `sed` and the like. */
export function isPattern(name: string, values: readonly string[], index: number): boolean {
  if (!FIRST_IS_TEXT.has(name)) return false;
  const value = values[index] ?? '';
  const before = values[index - 1] ?? '';
  if (valueOptionsOf(name).test(before)) return true;
  if (name.endsWith('awk') && value.startsWith('-F')) return true;
  if (isInterpreter(name) || value.startsWith('-')) return false;
  const hasOwn = values.some((other) => /^-[a-zA-Z]*[ef]$|^--(regexp|expression|file|files)/.test(other));
  return !hasOwn && values.findIndex((other) => !other.startsWith('-')) === index;
}

/** Options whose next word is text. */
function valueOptionsOf(name: string): RegExp {
  if (name.endsWith('awk')) return /^-[Fv]$/;
  if (name === 'jq' || name === 'yq') return /^--arg(json)?$/;
  if (isInterpreter(name)) return /^-[a-z]*[ecp]$|^-E$|^--(eval|print)$/;
  return /^-e$|^--(regexp|expression)$|^-g$|^--glob$/;
}
