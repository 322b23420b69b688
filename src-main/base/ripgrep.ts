/**
 * The same rules everywhere, whatever the person's own configuration says. Links are not followed. Of ignore files only
 * `.rgignore`, `.ignore` and `.gitignore` of the folder and below it count: `.git/info/exclude` would be looked for by way
 * of files that name other places.
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

/** KB of memory that ripgrep may take: an ignore file or a line without an end would take all there is. */
const MAX_MEMORY = 1024 * 1024;

/**
 * What to start for a run of ripgrep that ends, by a signal, when it wants more memory than that. On Linux; elsewhere
 * systems have no such limit, or do not keep it.
 */
export function ripgrepCommand(program: string, args: readonly string[]): { file: string; args: string[] } {
  const all = [...RULES, ...args];
  if (process.platform !== 'linux') return { file: program, args: all };
  // The shell is given a fixed line; program and arguments are words that it passes on. A lower limit stays.
  return {
    file: '/bin/sh',
    args: ['-c', 'ulimit -v "$0" 2>/dev/null; exec "$@"', String(MAX_MEMORY), program, ...all],
  };
}
