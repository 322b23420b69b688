import { because, type Reason } from '../../contract/shared/reasons';
import { parseLine, type ShellCommand } from './commands';
import { absolute, neverRead, neverWritten, type ShellPlaces } from './places';
import type { ShellWord } from './words';
import { SHELLS } from './wrappers';

const OTHER_USER = new Set(['sudo', 'doas', 'pkexec', 'su', 'runuser', 'gosu']);
const DISK_TOOLS = /^(mkfs(\..+)?|mke2fs|mkswap|fdisk|sfdisk|cfdisk|parted|wipefs|blkdiscard)$/;
/** Programs that run the code they read. */
const INTERPRETERS = new Set([
  ...SHELLS,
  'python',
  'python3',
  'perl',
  'ruby',
  'node',
  'php',
  'source',
  '.',
  'eval',
]);
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
  if (OTHER_USER.has(name)) return because('other_user');
  if (DISK_TOOLS.test(name)) return because('writes_disk');
  const values = words.map((word) => word.value);
  const operands = values.filter((value) => !value.startsWith('-'));
  const recursive = values.some((value) => /^-[a-zA-Z]*[rR]/.test(value) || value === '--recursive');

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
  const runsInput = INTERPRETERS.has(name) && operands.filter((value) => value !== '-').length === 0;
  if (runsInput && command.inputFrom.some((from) => from !== null && fetchesOrDecodes(from)))
    return because('runs_unseen');
  if (INTERPRETERS.has(name) && words.some(runsFetched)) return because('runs_unseen');

  const written = WRITES_ALL.has(name) ? operands : WRITES_LAST.has(name) ? operands.slice(-1) : [];
  for (const operand of written) {
    const reason = neverWritten(absolute(operand, places), places);
    if (reason !== null) return reason;
  }
  for (const value of values) {
    const reason = neverRead(absolute(value.replace(/^[\w-]*=|^@/, ''), places), places);
    if (reason !== null) return reason;
  }
  return redirectDanger(command, places);
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
  return parseLine(`: ${word.text}`).commands.some((inner) => fetchesOrDecodes(inner.words[0]?.value ?? ''));
}
