import type { ShellWord } from './words';
import { APPENDS, innerOf, runsWords, SHELLS } from './wrappers';

/** What `xargs -I` usually replaces, at the start of a line for a shell. */
const STARTS_WITH_INPUT = /^\s*["']?(\{\}|%|@)["']?/;

/**
 * Whether a program that is no shell or interpreter runs what it reads as commands: `at now`, `make -f -`, `xargs sh -c`, `xargs
 * env`, `parallel`.
 */
export function runsInputAsCommands(name: string, words: readonly ShellWord[]): boolean {
  const values = words.map(({ value }) => value);
  if (/^(at|batch)$/.test(name)) return !values.some((value) => /^-\w*[flcdr]/.test(value));
  if (/^g?make$/.test(name))
    return values.some(
      (value, at) =>
        /^(-f|--file=|--makefile=)(-|\/dev\/stdin)$/.test(value) ||
        (/^(-f|--file|--makefile)$/.test(value) && /^(-|\/dev\/stdin)$/.test(values[at + 1] ?? '')),
    );
  if (!APPENDS.test(name)) return false;
  const inner = innerOf(name, words);
  if (inner === null) return name === 'parallel';
  if ('unknown' in inner) return false;
  if ('line' in inner) return STARTS_WITH_INPUT.test(inner.line) || /^\S*sh -c\s*$/.test(inner.line);
  return isCompletedByInput(inner.words);
}

/** Whether the words end where a command is expected: `sh -c`, `nice -n 5`, `env sh -c {}`. */
function isCompletedByInput([first, ...rest]: readonly ShellWord[]): boolean {
  const name = first?.value.split('/').at(-1) ?? '';
  if (first === undefined || !runsWords(name)) return STARTS_WITH_INPUT.test(first?.value ?? '');
  const inner = innerOf(name, rest);
  if (SHELLS.has(name)) {
    if (inner === null || !('line' in inner)) return rest.some(({ value }) => /^-\w*c$/.test(value));
    return STARTS_WITH_INPUT.test(inner.line);
  }
  if (inner === null) return true;
  return 'words' in inner && isCompletedByInput(inner.words);
}
