import type { ShellWord } from './words';

/** What a command runs in its turn: words of a simple command, or a line for another shell; null for no such thing. */
export type Inner = { words: readonly ShellWord[] } | { line: string } | { unknown: true } | null;

/** Options with a value of programs that run what follows them. */
const WRAPPERS: Readonly<Record<string, { values?: readonly string[]; first?: number }>> = {
  env: { values: ['-u', '--unset', '-C', '--chdir', '-S'] },
  time: { values: ['-f', '-o'] },
  nice: { values: ['-n', '--adjustment'] },
  ionice: { values: ['-c', '-n', '-p'] },
  nohup: {},
  setsid: {},
  stdbuf: { values: ['-i', '-o', '-e'] },
  // The first operand is the time.
  timeout: { values: ['-s', '--signal', '-k', '--kill-after'], first: 1 },
  command: {},
  builtin: {},
  exec: { values: ['-a'] },
  xargs: {
    values: ['-I', '-n', '-P', '-d', '-L', '-s', '-a', '-E', '--max-args', '--max-procs', '--delimiter'],
  },
  busybox: {},
  watch: { values: ['-n', '--interval'] },
  sudo: { values: ['-u', '-g', '-h', '-p', '-C', '-D', '-R', '-T'] },
  doas: { values: ['-u', '-C'] },
  chroot: { first: 1 },
  unshare: {},
  strace: { values: ['-e', '-o', '-p'] },
  parallel: { values: ['-j', '--jobs'] },
  caffeinate: { values: ['-t', '-w'] },
};

/** Shells that take a line of commands as the value of `-c`. */
export const SHELLS = new Set(['sh', 'bash', 'dash', 'zsh', 'ksh', 'ash', 'fish', 'mksh']);

const FIND_RUNS = new Set(['-exec', '-execdir', '-ok', '-okdir']);

/** What `name words…` runs. */
export function innerOf(name: string, words: readonly ShellWord[]): Inner {
  if (SHELLS.has(name)) {
    const at = words.findIndex((word) => /^-[a-z]*c$/.test(word.value));
    if (at === -1) return null;
    return lineOf(words[at + 1]);
  }
  if (name === 'eval') {
    if (words.length === 0) return null;
    return words.every((word) => word.literal)
      ? { line: words.map((word) => word.value).join(' ') }
      : { unknown: true };
  }
  if (name === 'find') {
    const at = words.findIndex((word) => FIND_RUNS.has(word.value));
    if (at === -1) return null;
    const rest = words.slice(at + 1);
    const end = rest.findIndex((word) => word.value === ';' || word.value === '+');
    return { words: end === -1 ? rest : rest.slice(0, end) };
  }
  if (name === 'script' || name === 'su') {
    const at = words.findIndex((word) => word.value === '-c');
    return at === -1 ? null : lineOf(words[at + 1]);
  }
  const wrapper = Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name] : undefined;
  if (wrapper === undefined) return null;
  const { values = [], first = 0 } = wrapper;
  let at = 0;
  for (let skipped = 0; at < words.length; at++) {
    const value = words[at]?.value ?? '';
    if (value === '--') continue;
    if (values.includes(value)) at++;
    else if (value.startsWith('-')) continue;
    else if (name === 'env' && /^[A-Za-z_]\w*=/.test(value)) continue;
    else if (skipped < first) skipped++;
    else break;
  }
  const inner = words.slice(at);
  if (inner.length === 0) return null;
  // `watch` and `parallel` put their words together to a line for a shell.
  if (name === 'watch' || name === 'parallel')
    return inner.every((word) => word.literal)
      ? { line: inner.map((word) => word.value).join(' ') }
      : { unknown: true };
  return { words: inner };
}

const lineOf = (word: ShellWord | undefined): Inner =>
  word === undefined ? null : word.literal ? { line: word.value } : { unknown: true };
