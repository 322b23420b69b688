import { subcommandAt } from './subcommands';
import type { ShellWord } from './words';

/**
 * The command that another one runs: words of a simple command, or a line for another shell; null if there is none.
 * `directory`: where it runs, if elsewhere; null if known only at run time.
 */
export type Inner =
  | { words: readonly ShellWord[]; directory?: ShellWord | null }
  | { line: string }
  | { unknown: true }
  | null;

/** The options of a program that runs the words after them. With an unknown option, nobody knows where they end. */
interface Wrapper {
  /** Letters of options without a value, and of options with one. */
  flags?: string;
  values?: string;
  /** Long options without a value or only with one after `=`, and long options with a value. Prefixes count too. */
  long?: readonly string[];
  longValues?: readonly string[];
  /** Number of operands before the inner command. */
  first?: number;
  /** `-5`. */
  numbers?: true;
}

/** Programs that run the words after their options, and after operands of which nothing is known here. */
export const LOOSE: ReadonlySet<string> = new Set(
  `
  unshare nsenter setarch linux32 linux64 i386 x86_64 setpriv prlimit numactl runcon choom uclampset cpulimit
  softlimit chpst fakeroot eatmydata proot firejail bwrap xvfb-run dbus-run-session dbus-launch systemd-run
  systemd-inhibit unbuffer rlwrap ltrace valgrind perf catchsegv dumb-init tini catatonit torsocks tsocks
  proxychains proxychains4 ccache distcc nocache direnv mise gtimeout gnice chronic entr setlock daemonize
  start-stop-daemon ssh-agent sshpass cgexec flatpak-spawn run-one ifne retry tsp nq dtach abduco sem with-contenv
`
    .trim()
    .split(/\s+/),
);

const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  env: {
    flags: 'i0v',
    values: 'uC',
    long: 'ignore-environment null debug block-signal default-signal ignore-signal list-signal-handling'.split(
      ' ',
    ),
    longValues: 'unset chdir'.split(' '),
  },
  time: {
    flags: 'pvaq',
    values: 'fo',
    long: 'portability verbose append quiet'.split(' '),
    longValues: 'format output'.split(' '),
  },
  nice: { values: 'n', longValues: 'adjustment'.split(' '), numbers: true },
  ionice: { flags: 't', values: 'cn', long: 'ignore'.split(' '), longValues: 'class classdata'.split(' ') },
  nohup: {},
  setsid: { flags: 'cfw', long: 'ctty fork wait'.split(' ') },
  stdbuf: { values: 'ioe', longValues: 'input output error'.split(' ') },
  timeout: {
    flags: 'vpf',
    values: 'sk',
    long: 'preserve-status foreground verbose'.split(' '),
    longValues: 'signal kill-after'.split(' '),
    first: 1,
  },
  command: { flags: 'pvV' },
  builtin: {},
  exec: { flags: 'cl', values: 'a' },
  xargs: {
    flags: '0rtpxo',
    values: 'InPdLsaEJRS',
    long: 'null no-run-if-empty verbose interactive exit open-tty replace eof max-lines'.split(' '),
    longValues: 'max-args max-procs delimiter max-chars arg-file process-slot-var'.split(' '),
  },
  busybox: {},
  toybox: {},
  watch: {
    flags: 'dtbegcxpw',
    values: 'nq',
    long: 'differences no-title beep errexit chgexit color exec precise no-wrap'.split(' '),
    longValues: 'interval equexit'.split(' '),
  },
  sudo: { flags: 'AbEeHknPSs', values: 'ughpCDRTrt' },
  doas: { flags: 'ns', values: 'uC' },
  chroot: { long: 'userspec groups skip-chdir'.split(' '), first: 1 },
  strace: { flags: 'fcCdDiknqrtTvVxyYzZ', values: 'abeEIoOpPsSuX' },
  parallel: { flags: '0kutX', values: 'jIa', longValues: 'jobs'.split(' ') },
  caffeinate: { flags: 'dimsu', values: 'tw' },
  flock: {
    flags: 'sxeunoFv',
    values: 'wE',
    long: 'shared exclusive unlock nonblock close no-fork verbose'.split(' '),
    longValues: 'wait timeout conflict-exit-code'.split(' '),
    first: 1,
  },
  taskset: { first: 1 },
  chrt: { first: 1 },
  faketime: { first: 1 },
  ...Object.fromEntries([...LOOSE].map((name): [string, Wrapper] => [name, {}])),
};

/** Programs that add words to the command that they run, from their standard input. */
export const APPENDS = /^(xargs|parallel)$/;

/** Shells that take a command line as the value of `-c`. */
export const SHELLS = new Set(
  'sh bash rbash dash zsh ksh rksh ash fish mksh oksh pdksh yash posh osh csh tcsh elvish nu xonsh'.split(
    ' ',
  ),
);

/** Whether a program is a shell or runs the words after its options. */
export const runsWords = (name: string): boolean => SHELLS.has(name) || Object.hasOwn(WRAPPERS, name);

/** Options of shells that run a line before anything else. */
const FIRST_LINE: Readonly<Record<string, RegExp>> = { fish: /^-\w*C|^--init-command/, nu: /^-e|^--execute/ };

const FIND_RUNS = new Set(['-exec', '-execdir', '-ok', '-okdir']);
const UNKNOWN = { unknown: true } as const;

/** Programs that run the value of `-c` in a shell. */
const CALLS = /^(npx|npm|pnpx|pnpm)$/;

/** Builtins and programs that take a command in one word, most of them as the value of an option. */
const IN_OPTIONS: Readonly<Record<string, RegExp>> = {
  alias: /=/,
  hash: /^-\w*p/,
  compgen: /^-\w*[CF]/,
  complete: /^-\w*[CF]/,
  mapfile: /^-\w*C/,
  readarray: /^-\w*C/,
  bind: /^-\w*x/,
  hyperfine: /./,
  screen: /./,
  tmux: /./,
  enable: /^-\w*f/,
  fd: /^-\w*[xX]|^--ex/,
  fdfind: /^-\w*[xX]|^--ex/,
  // A file with commands.
  sed: /^-[nErsuzi]*f|^--fi/,
  gsed: /^-[nErsuzi]*f|^--fi/,
  ssed: /^-[nErsuzi]*f|^--fi/,
  tar: /^-[A-Za-z]*[IF]|^--(to-c|checkpoint-a|use-c|rsh|rmt|info-s|new-v)/,
};

/** Editors and debuggers, and their options with a command or a file with commands, which may run anything. */
const EDITORS =
  /^(r?vim?|vimdiff|r?gvim|gvimdiff|nvim|r?view|ex|evim|emacs|emacsclient|gdb|lldb|kak|gnuplot|octave)$/;
const EDITOR_COMMANDS =
  /^(\+.*[^\d].*|-[A-Za-z]*[cSsux]|-ex|-[el]|-batch|--(cmd|eval\S*|load\S*|script\S*|batch|command\S*|exec\S*))$/;

/** The command that `name words…` runs. */
export function innerOf(name: string, words: readonly ShellWord[]): Inner {
  if (SHELLS.has(name)) return innerOfShell(name, words);
  if (name === 'eval') {
    if (words.length === 0) return null;
    return words.every((word) => word.literal)
      ? { line: words.map((word) => word.value).join(' ') }
      : UNKNOWN;
  }
  if (name === 'command' && printsCommand(words)) return null;
  if (name === 'find') return innerOfFind(words);
  if (name === 'git') return innerOfGit(words);
  if (name === 'trap') {
    const [first] = words.filter((word) => word.value !== '--');
    return first === undefined || words.length < 2 || /^(-.*|)$/.test(first.value) ? null : lineOf(first);
  }
  if (name === 'script' || name === 'su') return innerOfScript(words);
  const call = CALLS.test(name)
    ? innerOfOption(words, /^(-c|--call|--shell-mode)$/, /^(--call=)(.+)$/s)
    : null;
  if (call !== null) return call;
  if (EDITORS.test(name) && words.some(({ value }) => EDITOR_COMMANDS.test(value))) return UNKNOWN;
  const inOptions = Object.hasOwn(IN_OPTIONS, name) ? IN_OPTIONS[name] : undefined;
  if (inOptions !== undefined) return words.some(({ value }) => inOptions.test(value)) ? UNKNOWN : null;
  // The system's loader of programs: `/lib64/ld-linux-x86-64.so.2 /bin/rm x`
  const isLoader = /^ld[\w.-]*\.so(\.\d+)*$/.test(name);
  const wrapper = isLoader ? {} : Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name] : undefined;
  return wrapper === undefined ? null : innerOfWrapper(name, words, wrapper);
}

/** `command -v name` prints what the name stands for and runs nothing. */
const printsCommand = (words: readonly ShellWord[]): boolean => {
  const end = words.findIndex(({ value, literal }) => !literal || value === '--' || !value.startsWith('-'));
  return words.slice(0, end === -1 ? words.length : end).some(({ value }) => /^-p*[vV]/.test(value));
};

/** `bash -ec line`, `bash -c -e line`, `bash -o errexit -c line`: the line is the first operand. */
function innerOfShell(name: string, words: readonly ShellWord[]): Inner {
  const first = FIRST_LINE[name];
  // It runs this line before the others, or before a script.
  if (first !== undefined && words.some(({ value }) => first.test(value))) return UNKNOWN;
  let takesLine = false;
  for (let at = 0; at < words.length; at++) {
    const { value = '', literal = true } = words[at] ?? {};
    if (!literal) return takesLine || /^[-+]/.test(value) ? UNKNOWN : null;
    const long = /^--(command|init-command|rcfile|init-file)(=(.*))?$/s.exec(value);
    const isCommand = long !== null && /command$/.test(long[1] ?? '');
    if (isCommand) return long[3] === undefined ? lineOf(words[at + 1]) : { line: long[3] };
    if (long !== null && long[2] === undefined) at++;
    else if (/^[-+]$/.test(value) || value === '--')
      return takesLine ? (lineOf(words[at + 1]) ?? UNKNOWN) : null;
    else if (/^[-+][^-]/.test(value)) {
      takesLine ||= value.startsWith('-') && value.includes('c');
      if (/[oO]$/.test(value)) at++;
    } else if (!value.startsWith('--')) return takesLine ? lineOf(words[at]) : null;
  }
  return takesLine ? UNKNOWN : null;
}

function innerOfFind(words: readonly ShellWord[]): Inner {
  const at = words.findIndex((word) => FIND_RUNS.has(word.value));
  if (at === -1) return null;
  const rest = words.slice(at + 1);
  if (rest.some((word) => FIND_RUNS.has(word.value))) return UNKNOWN;
  const end = rest.findIndex((word) => word.value === ';' || word.value === '+');
  const inner = end === -1 ? rest : rest.slice(0, end);
  return /dir$/.test(words[at]?.value ?? '') ? { words: inner, directory: null } : { words: inner };
}

/** `git rebase -x line`, `git submodule foreach line`, `git bisect run words…`, `git filter-branch --tree-filter line`. */
function innerOfGit(words: readonly ShellWord[]): Inner {
  const at = subcommandAt(
    'git',
    words.map(({ value }) => value),
  );
  const [subcommand, ...rest] = at === -1 ? [] : words.slice(at);
  switch (subcommand?.value) {
    case 'rebase':
      return innerOfOption(rest, /^(-[a-z]*x|--exec?)$/, /^(-x|--exec?=)(.+)$/s);
    case 'difftool':
      return innerOfOption(rest, /^(-[a-z]*x|--extcmd)$/, /^(-x|--extcmd=)(.+)$/s);
    case 'filter-branch':
      return innerOfOption(rest, /^--[a-z]+-filter$/);
    case 'bisect':
      return rest[0]?.value === 'run' ? { words: rest.slice(1) } : null;
    case 'submodule':
      return innerOfForeach(rest);
    default:
      return null;
  }
}

function innerOfForeach(words: readonly ShellWord[]): Inner {
  const [verb, ...rest] = words.slice(words.findIndex(({ value }) => !value.startsWith('-')));
  const inner = rest.slice(rest.findIndex(({ value }) => !value.startsWith('-')));
  if (verb?.value !== 'foreach' || inner.length === 0) return null;
  const line = inner.map(({ value }) => value).join(' ');
  return inner.every(({ literal }) => literal) ? { line } : UNKNOWN;
}

/** The line that is the value of an option, in the next word or in the same one. */
function innerOfOption(words: readonly ShellWord[], option: RegExp, joined?: RegExp): Inner {
  const lines = words.flatMap((word, at): Inner[] => {
    const own = joined?.exec(word.value)?.[2];
    if (own !== undefined) return [word.literal ? { line: own } : UNKNOWN];
    return option.test(word.value) ? [lineOf(words[at + 1])] : [];
  });
  return lines.length > 1 ? UNKNOWN : (lines[0] ?? null);
}

/** `script -qc line`, `script --command=line`. */
function innerOfScript(words: readonly ShellWord[]): Inner {
  for (const [at, word] of words.entries()) {
    const joined = /^(--com\w*=|-[a-bd-zA-Z]*c(?=.))(.*)$/s.exec(word.value);
    if (joined !== null) return word.literal ? { line: joined[2] ?? '' } : UNKNOWN;
    if (/^(--com\w*|-[a-bd-zA-Z]*c)$/.test(word.value)) return lineOf(words[at + 1]);
    if (word.value === '--') return words.length > at + 1 ? UNKNOWN : null;
  }
  return null;
}

function innerOfWrapper(name: string, words: readonly ShellWord[], wrapper: Wrapper): Inner {
  const begin = afterOptions(name, words, wrapper);
  if (begin === null) return UNKNOWN;
  const inner = words.slice(begin);
  if (inner.length === 0) return null;
  // `flock file -c line`
  if (name === 'flock' && /^(-c|--command)$/.test(inner[0]?.value ?? '')) return lineOf(inner[1]);
  // `watch` and `parallel` join their words into a shell line.
  if (name === 'watch' || name === 'parallel')
    return inner.every((word) => word.literal)
      ? { line: inner.map((word) => word.value).join(' ') }
      : UNKNOWN;
  const directory = name === 'env' ? folderOfEnv(words.slice(0, begin)) : undefined;
  return directory === undefined ? { words: inner } : { words: inner, directory };
}

/** The index after the options and first operands; null if unknown. */
function afterOptions(name: string, words: readonly ShellWord[], wrapper: Wrapper): number | null {
  const { flags = '', values = '', numbers = false } = wrapper;
  let left = wrapper.first ?? 0;
  let areOptions = true;
  let at = 0;
  for (; at < words.length; at++) {
    const { value = '', literal = true } = words[at] ?? {};
    if (areOptions && value === '--') areOptions = false;
    else if (areOptions && value.startsWith('--')) {
      const takes = longOption(value, wrapper);
      if (takes === null || !literal) return null;
      at += takes;
    } else if (areOptions && value.startsWith('-') && value !== '-') {
      if (numbers && /^--?\d+$/.test(value)) continue;
      if (!literal) return null;
      const letters = [...value.slice(1)];
      const taking = letters.findIndex((letter) => !flags.includes(letter));
      if (taking === -1) continue;
      // `xargs -i{}`: the value must be in the same word.
      if (name === 'xargs' && /[iel]/.test(letters[taking] ?? '')) continue;
      if (!values.includes(letters[taking] ?? '')) return null;
      if (taking === letters.length - 1) at++;
    } else if (name === 'env' && (value === '-' || /^[A-Za-z_]\w*=/.test(value))) continue;
    else if (left > 0) left--;
    else break;
  }
  return at;
}

/** Number of words that its value takes; null if the option is unknown. */
function longOption(word: string, { long = [], longValues = [] }: Wrapper): 0 | 1 | null {
  const [name = ''] = word.slice(2).split('=');
  const begins = (list: readonly string[]) => list.some((known) => known.startsWith(name));
  if (begins(longValues)) return word.includes('=') ? 0 : 1;
  return begins(long) ? 0 : null;
}

/** `env -C folder`, `env --chdir=folder`. */
function folderOfEnv(options: readonly ShellWord[]): ShellWord | undefined {
  const at = options.findIndex(({ value }) => /^(-C|--chdir)$/.test(value));
  if (at !== -1) return options[at + 1];
  const joined = options.find(({ value }) => /^(-C.|--chdir=)/.test(value));
  return joined === undefined ? undefined : { ...joined, value: joined.value.replace(/^(-C|--chdir=)/, '') };
}

const lineOf = (word: ShellWord | undefined): Inner =>
  word === undefined ? null : word.literal ? { line: word.value } : { unknown: true };
