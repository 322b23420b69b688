import { because, type Reason } from '../../../contract/shared/reasons';
import { parseLine, type ShellCommand } from '../commands/commands';
import { runsInputAsCommands } from '../parsing/input-as-commands';
import { isCodeOption, isInterpreter } from '../parsing/interpreters';
import { meansName } from '../parsing/name-patterns';
import type { ShellWord } from '../parsing/words';
import { SHELLS } from '../parsing/wrappers';
import { absolute, neverRead, neverWritten, type ShellPlaces } from '../paths/places';

const OTHER_USER =
  'sudo sudoedit sudo-rs su su-rs doas pkexec runuser run0 gosu dzdo pfexec pbrun setuidgid'.split(' ');
const DISK_TOOLS = /^(mkfs(\..+)?|mke2fs|mkswap|fdisk|sfdisk|cfdisk|parted|wipefs|blkdiscard)$/;
/** Whether a program runs the code it reads. */
const runsCode = (name: string) => SHELLS.has(name) || name === 'eval' || isInterpreter(name);
const STANDARD_INPUT = /^(-|\/dev\/(stdin|fd\/0))$/;
const DOWNLOADS = new Set(['curl', 'wget', 'fetch', 'aria2c', 'http', 'https', 'nc', 'ncat']);
/** Programs that write to their last operand, or to all of them. */
const WRITES_LAST = new Set(['cp', 'mv', 'ln', 'install', 'rsync', 'scp']);
const WRITES_ALL = new Set([
  'tee',
  'touch',
  'truncate',
  'rm',
  'rmdir',
  'unlink',
  'shred',
  'mkdir',
  'chmod',
  'chown',
  'chgrp',
]);

/** Why a command never runs for the agent; null if the person may decide. */
export function dangerOf(
  name: string,
  words: readonly ShellWord[],
  command: ShellCommand,
  places: ShellPlaces,
): Reason | null {
  // `/usr/bin/sud? id`
  if (OTHER_USER.some((other) => name === other || meansName(name, other))) return because('other_user');
  if (DISK_TOOLS.test(name)) return because('writes_disk');
  const values = words.map((word) => word.value);
  const operands = values.filter((value) => !value.startsWith('-'));
  const recursive = values.some((value) => /^-[a-zA-Z]*[rR]|^--rec/.test(value));

  if (name === 'dd') {
    const output = values.find((value) => value.startsWith('of='))?.slice(3);
    if (output !== undefined) return neverWritten(absolute(output, places), places);
  }
  if (name === 'crontab' && !values.includes('-l')) return because('runs_later_unseen');
  if (name === 'rm' && values.includes('--no-preserve-root')) return because('deletes_computer');
  if ((name === 'rm' || name === 'chmod' || name === 'chown' || name === 'chgrp') && recursive) {
    const whole = operands.find((operand) => isWhole(operand, places));
    if (whole !== undefined)
      return name === 'rm'
        ? because('deletes_all_of', { path: whole })
        : because('changes_rights_of', { path: whole });
  }
  if (name === 'find' && values.includes('-delete') && !values.some((value) => NARROWS.test(value))) {
    const whole = values.slice(0, startOfTests(values)).find((operand) => isWhole(operand, places));
    if (whole !== undefined) return because('deletes_all_of', { path: whole });
  }
  if (runsCode(name) && runsUnseen(name, words, command)) return because('runs_unseen');
  if (runsInputAsCommands(name, words) && readsUnseen(command)) return because('runs_unseen');

  for (const operand of writtenBy(name, values, operands)) {
    const reason = neverWritten(absolute(operand, places), places);
    if (reason !== null) return reason;
  }
  // Their other operands are code, which may look like a path of the system.
  const inPlace = EDITS_IN_PLACE.find(({ names }) => names.test(name))?.option;
  if (inPlace !== undefined && values.some((value) => inPlace.test(value)))
    for (const operand of operands) {
      const reason = neverWritten(absolute(operand, places), places);
      if (reason?.code === 'changes_login') return reason;
    }
  for (const value of values) {
    const reason = neverRead(absolute(value.replace(/^[\w-]*=|^@/, ''), places), places);
    if (reason !== null) return reason;
  }
  return redirectDanger(command, places);
}

/** Options of `find` that select only some of the files. */
const NARROWS =
  /^-(i?name|i?path|i?wholename|i?regex|i?lname|empty|size|[acm](min|time)|[ac]?newer\w*|user|group|uid|gid|perm|links|inum|nouser|nogroup|samefile|executable|prune|not)$|^!$/;

const startOfTests = (values: readonly string[]): number => {
  const at = values.findIndex((value) => /^[-!(]/.test(value));
  return at === -1 ? values.length : at;
};

/** Whether an interpreter runs code that the line downloads or decodes. */
function runsUnseen(name: string, words: readonly ShellWord[], command: ShellCommand): boolean {
  if (words.some(runsFetched)) return true;
  const subcommand = /^(deno|bun)$/.test(name) ? 'run' : undefined;
  const values = words.map(({ value }) => value).filter((value) => value !== subcommand);
  const first = values.findIndex((value) => /^(-{0,2}$|[^-])/.test(value));
  const options = first === -1 ? values : values.slice(0, first);
  if (options.some((option) => isCodeOption(name, option))) return false;
  const readsInput =
    // What follows are arguments of the code.
    STANDARD_INPUT.test(values[first] ?? '') ||
    values.every((value) => value.startsWith('-') || STANDARD_INPUT.test(value)) ||
    (SHELLS.has(name) && values.some((value) => /^-[a-z]*s[a-z]*$/.test(value)));
  return readsInput && readsUnseen(command);
}

/** Whether a command reads what the line downloads or decodes. */
function readsUnseen({ redirects, inputFrom }: ShellCommand): boolean {
  const typed = redirects.filter(({ text }) => /\$\(|`|<\(/.test(text));
  return (
    inputFrom.some((from) => from !== null && fetchesOrDecodes(from)) ||
    typed.some(({ text }) => fetchesIn(`: ${text}`))
  );
}

/** Programs with an option to change files, which may follow other options in its word, but none with a value: `-Mlib`. */
const EDITS_IN_PLACE = [
  { names: /^g?sed$/, option: /^-[^-efl]*i|^--in-p/ },
  { names: /^(perl|ruby)[\d.]*$/, option: /^-[^-CDEFIMWeimrx]*i/ },
];
/** Options that name a file or folder to write. */
const OUTPUT: Readonly<Record<string, RegExp>> = {
  curl: /^(-[a-zA-Z]*o|--output)(?:=(.*))?$/s,
  wget: /^(-[a-zA-Z]*O|--output-document)(?:=(.*))?$/s,
  sort: /^(-o|--output)(?:=(.*))?$/s,
  cp: /^(-t|--target-directory)(?:=(.*))?$/s,
  mv: /^(-t|--target-directory)(?:=(.*))?$/s,
  ln: /^(-t|--target-directory)(?:=(.*))?$/s,
  install: /^(-t|--target-directory)(?:=(.*))?$/s,
};

/** The files that a program writes, as far as its words name them. */
function writtenBy(name: string, values: readonly string[], operands: readonly string[]): string[] {
  if (WRITES_ALL.has(name)) return [...operands];
  if (name === 'patch') return operands.slice(0, 1);
  if (name === 'git') return operands[0] === 'clone' ? operands.slice(2).slice(-1) : [];
  const option = Object.hasOwn(OUTPUT, name) ? OUTPUT[name] : undefined;
  const named = values.flatMap((value, at) => {
    const found = option?.exec(value) ?? null;
    return found === null ? [] : [found[2] ?? values[at + 1] ?? ''];
  });
  return [...named, ...(WRITES_LAST.has(name) ? operands.slice(-1) : [])];
}

/** Why a redirection is never made; null if the person may decide. */
export function redirectDanger(command: ShellCommand, places: ShellPlaces): Reason | null {
  for (const { operator, target, isDescriptor } of command.redirects) {
    if (target === null || isDescriptor) continue;
    const path = absolute(target.value, places);
    const reason = operator === '<' ? neverRead(path, places) : neverWritten(path, places);
    if (reason !== null) return reason;
  }
  return null;
}

/** `/`, the home folder, or a folder directly below `/`, with or without `/*`. */
function isWhole(operand: string, places: ShellPlaces): boolean {
  const path = absolute(operand.replace(/\/?\*$/, '') || '/', places);
  return path === places.home || /^\/[^/]*$/.test(path);
}

/** Only the names are available here, so a decoder counts whatever its arguments are. */
const fetchesOrDecodes = (name: string): boolean => DOWNLOADS.has(name) || DECODERS.has(name);
const DECODERS = new Set(['base64', 'base32', 'xxd', 'openssl', 'uudecode', 'gunzip', 'zcat', 'unxz']);

/** A word produced by a command that downloads or decodes: `"$(curl …)"`, `<(curl …)`. */
function runsFetched(word: ShellWord): boolean {
  if (word.literal || !/\$\(|`|<\(/.test(word.text)) return false;
  return fetchesIn(`: ${word.text}`);
}

const fetchesIn = (line: string): boolean =>
  parseLine(line).commands.some((inner) => fetchesOrDecodes(inner.words[0]?.value ?? ''));
