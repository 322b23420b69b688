/**
 * The same rules everywhere, regardless of the person's configuration. Links are not followed. The only ignore files are
 * `.rgignore`, `.ignore` and `.gitignore` in the folder and below: to find `.git/info/exclude`, ripgrep would read files
 * that name other places.
 */
const RULES = [
  '--no-config',
  '--color=never',
  '--no-follow',
  '--no-mmap',
  '--no-require-git',
  '--no-ignore-global',
  '--no-ignore-parent',
  '--no-ignore-exclude',
];

/** Maximum memory of ripgrep in KB: an endless ignore file or line would use all there is. */
const MAX_MEMORY = 1024 * 1024;

/**
 * The command to start ripgrep so that a signal ends it when it exceeds the memory limit. Linux only: other systems have no
 * such limit or do not enforce it.
 */
export function ripgrepCommand(program: string, args: readonly string[]): { file: string; args: string[] } {
  const all = [...RULES, ...args];
  if (process.platform !== 'linux') return { file: program, args: all };
  // The shell runs a fixed line and passes on the program and arguments as words. A lower limit stays in effect.
  return {
    file: '/bin/sh',
    args: ['-c', 'ulimit -v "$0" 2>/dev/null; exec "$@"', String(MAX_MEMORY), program, ...all],
  };
}
