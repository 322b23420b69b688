import type { Touched } from '../../../contract/control';
import type { ReasonCode } from '../../../contract/shared/reasons';
import { parseLine } from '../commands/commands';
import { commandsIn, type FoundCommand } from '../commands/walk';
import type { ShellWord } from '../parsing/words';
import { absolute, pathNamed, type ShellPlaces } from '../paths/places';
import { readOnly } from '../reading/read-only';

/** A place that a command would change. */
export interface Target {
  does: Touched['does'];
  /** Absolute, with every `..` kept. Contains `*`, `?` and `[…]` if `glob`, and is unresolved if not `known`. */
  path: string;
  /** Its text in the line. */
  written: string;
  known: boolean;
  glob: boolean;
  /** Includes everything below it. */
  deep: boolean;
  /** The folder that it is relative to after a `cd`; null if unknown. */
  from?: string | null;
  /** It may not exist now but later, because another command of the line may create it. */
  mayAppear: boolean;
}

/** Programs that change every operand. */
const EACH: Readonly<Record<string, Touched['does']>> = {
  rm: 'delete',
  rmdir: 'delete',
  unlink: 'delete',
  shred: 'delete',
  truncate: 'edit',
  touch: 'change',
  mkdir: 'create',
};
/** Programs that write their first operands to the last one. */
const TO_LAST = new Set(['mv', 'cp', 'install', 'ln']);
/** Their first operand is not a file. */
const SECOND_ON = new Set(['chmod', 'chown', 'chgrp']);

/** The places that the words of a line show its commands would change. */
export function targetsOf(source: string, places: ShellPlaces): Target[] {
  const targets: Target[] = [];
  // In a loop, later commands also run before earlier ones.
  const { constructs } = parseLine(source);
  const all = [...commandsIn(source, places)];
  let mayAppear = constructs.some(({ reason }) => OUT_OF_ORDER.has(reason.code)) && all.some(mayCreate);
  for (const found of all) {
    const { directory } = found;
    const here = { ...places, cwd: directory ?? places.cwd };
    const isElsewhere = directory !== places.cwd;
    const add: Add = (word, does, deep = false) => {
      const target = { ...targetOf(word, does, here), deep, mayAppear };
      const isRelative = target.known && !/^([/~]|\$)/.test(word.value);
      targets.push(isElsewhere && isRelative ? { ...target, from: directory } : target);
    };
    for (const { operator, target, isDescriptor } of found.redirects) {
      if (target === null || isDescriptor || operator === '<') continue;
      if (!absolute(target.value, here).startsWith('/dev/'))
        add(target, operator.includes('>>') ? 'append' : 'overwrite');
    }
    ofCommand(found, add);
    mayAppear ||= mayCreate(found);
  }
  return targets;
}

/** Commands that repeat, or run at the same time as later ones. */
const OUT_OF_ORDER: ReadonlySet<ReasonCode> = new Set([
  'repeats',
  'background',
  'function',
  'second_process',
]);
/** They change only the files that they delete. */
const CREATES_NOTHING =
  /^(cd|chdir|pushd|popd|rm|rmdir|unlink|shred|chmod|chown|chgrp|kill|sleep|wait|exit)$/;

/** Whether a command may create new files. */
function mayCreate({ name, first, rest, redirects, runsOther, runsUnknown }: FoundCommand): boolean {
  const writes = redirects.some(({ operator, isDescriptor }) => operator.includes('>') && !isDescriptor);
  if (writes || runsUnknown) return true;
  // The command that it runs is checked separately.
  if (first === undefined || runsOther || CREATES_NOTHING.test(name)) return false;
  return !first.literal || 'reason' in readOnly(name, rest);
}

type Add = (word: ShellWord, does: Touched['does'], deep?: boolean) => void;

function ofCommand({ name, rest }: FoundCommand, add: Add): void {
  const { operands, has, given } = read(rest);
  const each = Object.hasOwn(EACH, name) ? EACH[name] : undefined;
  const recursive = has(/^-[a-zA-Z]*[rR]|^--recursive$/);
  if (each !== undefined) for (const word of operands) add(word, each, name === 'rm' && recursive);
  if (name === 'tee') for (const word of operands) add(word, has(/^-a|^--append$/) ? 'append' : 'overwrite');
  if (SECOND_ON.has(name)) for (const word of operands.slice(1)) add(word, 'change', recursive);
  if (name === 'sed' && has(/^-[nErsz]*i|^--in-place/)) {
    const scripts = has(/^-[nErsz]*e$|^--expression/) ? 0 : 1;
    for (const word of operands.slice(scripts)) add(word, 'edit');
  }
  if (TO_LAST.has(name)) {
    const folder = given(/^(-t|--target-directory)$/);
    const last = folder ?? operands.at(-1);
    const from = folder === undefined ? operands.slice(0, -1) : operands;
    if (name === 'mv') for (const word of from) add(word, 'move', true);
    if (last !== undefined) add(last, 'overwrite');
  }
  if (name === 'dd') {
    const output = rest.find((word) => word.value.startsWith('of='));
    if (output !== undefined) add({ ...output, value: output.value.slice(3) }, 'overwrite');
  }
}

/** Operands and options. A word after an option that takes a value is not an operand. */
function read(words: readonly ShellWord[]) {
  const operands: ShellWord[] = [];
  const options: { name: string; value: ShellWord | undefined }[] = [];
  const end = words.findIndex((word) => word.value === '--');
  const before = end === -1 ? words : words.slice(0, end);
  for (let at = 0; at < before.length; at++) {
    const word = before[at];
    if (word === undefined) break;
    if (!word.value.startsWith('-') || word.value === '-') operands.push(word);
    else if (/^(-t|-e|-f|-s|--target-directory|--expression|--size|--suffix|-S)$/.test(word.value))
      options.push({ name: word.value, value: before[++at] });
    else options.push({ name: word.value, value: undefined });
  }
  if (end !== -1) operands.push(...words.slice(end + 1));
  return {
    operands,
    has: (name: RegExp) => options.some((option) => name.test(option.name)),
    given: (name: RegExp) => options.find((option) => name.test(option.name))?.value,
  };
}

function targetOf(word: ShellWord, does: Touched['does'], places: ShellPlaces): Target {
  const isGlob = !word.literal && word.bare && /[*?[]/.test(word.value) && !/[$`{}()~]/.test(word.value);
  const isHome = /^(~|\$HOME|\$\{HOME\})(\/[^$`{}*?[]*)?$/.test(word.value) && word.text === word.value;
  const known = word.literal || isGlob || isHome;
  return {
    does,
    written: word.text,
    path: known ? pathNamed(word.value, places) : word.text,
    known,
    glob: isGlob,
    deep: false,
    mayAppear: false,
  };
}
