import { TOOLS } from './catalogue';

/** What the descriptions of `grep` and `execute` say about other tools. */
const NO_SHELL_GREP = ' Use this tool instead of grep in a shell.';
const INSTEAD = /^- For files, use [^\n]* instead of shell commands\.\n/mu;
const { ls, readFile, editFile, glob, grep, execute } = TOOLS;
const FOR_FILES = [ls, readFile, editFile, glob, grep].map(({ name }) => name);

/** Removes mentions of tools that the model is not offered. */
export function descriptionFor(description: string, visible: ReadonlySet<string>): string {
  const text = visible.has(execute.name) ? description : description.replace(NO_SHELL_GREP, '');
  return text.replace(INSTEAD, () => {
    const there = FOR_FILES.filter((name) => visible.has(name));
    const [last, ...others] = there.toReversed();
    const named = others.length === 0 ? last : `${others.reverse().join(', ')} and ${last}`;
    return last === undefined ? '' : `- For files, use ${named} instead of shell commands.\n`;
  });
}
