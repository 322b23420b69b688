import { readStrictly, type StrictWord } from '../parsing/strict';
import type { ShellWord } from '../parsing/words';
import type { ShellCommand } from './commands';

/** Whether the strict reader finds the same commands. If two readers agree, every shell agrees. */
export function isReadAlike(source: string, commands: readonly ShellCommand[]): boolean {
  const strict = readStrictly(source);
  return (
    strict !== null &&
    strict.length === commands.length &&
    strict.every(({ words, inputs }, index) => {
      const command = commands[index];
      const read = command?.redirects.flatMap(({ operator, target }) =>
        operator === '<' && target !== null ? [target] : [],
      );
      return (
        command !== undefined &&
        read !== undefined &&
        command.assignments.length === 0 &&
        areAlike(words, command.words) &&
        areAlike(inputs, read)
      );
    })
  );
}

const areAlike = (strict: readonly StrictWord[], words: readonly ShellWord[]): boolean =>
  strict.length === words.length &&
  strict.every(({ value }, index) => words[index]?.value === value && words[index]?.literal === true);
