import type { Touched } from '../../contract/control';
import { parseLine } from './commands';
import { absolute, type ShellPlaces } from './places';
import type { ShellWord } from './words';
import { innerOf } from './wrappers';

/** A place that a command names to change it. */
export interface Target {
  does: Touched['does'];
  /** Absolute; with `*`, `?` and `[…]` in it where `glob`, and as written where it is not `known`. */
  path: string;
  known: boolean;
  glob: boolean;
  /** What is below goes with it. */
  deep: boolean;
}

/** Programs that change each operand. */
const EACH: Readonly<Record<string, Touched['does']>> = {
  rm: 'delete',
  rmdir: 'delete',
  unlink: 'delete',
  shred: 'delete',
  truncate: 'edit',
  touch: 'change',
  mkdir: 'create',
};
/** Programs that put what they are given first at the place that stands last. */
const TO_LAST = new Set(['mv', 'cp', 'install', 'ln']);
/** Their first operand is no file. */
const SECOND_ON = new Set(['chmod', 'chown', 'chgrp']);
const MAX_DEPTH = 4;

/** What the commands of a line would change, as far as the words say. */
export function targetsOf(source: string, places: ShellPlaces): Target[] {
  const targets: Target[] = [];
  for (const { words, redirects } of parseLine(source).commands) {
    for (const { operator, target, isDescriptor } of redirects) {
      if (target === null || isDescriptor || operator === '<') continue;
      const path = absolute(target.value, places);
      if (!path.startsWith('/dev/'))
        targets.push(targetOf(target, operator.includes('>>') ? 'append' : 'overwrite', places));
    }
    ofCommand(words, places, targets, 0);
  }
  return targets;
}

function ofCommand(words: readonly ShellWord[], places: ShellPlaces, targets: Target[], depth: number): void {
  const [first, ...rest] = words;
  if (first === undefined || depth > MAX_DEPTH) return;
  const name = first.value.split('/').at(-1) ?? '';
  const inner = innerOf(name, rest);
  if (inner !== null) {
    if ('words' in inner) ofCommand(inner.words, places, targets, depth + 1);
    else if ('line' in inner) targets.push(...targetsOf(inner.line, places));
    return;
  }
  const { operands, has, given } = read(rest);
  const add = (word: ShellWord, does: Touched['does'], deep = false) =>
    targets.push({ ...targetOf(word, does, places), deep });
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

/** Operands, and what there is of options; a word after an option with a value of its own is no operand. */
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
    path: known ? absolute(word.value, places) : word.text,
    known,
    glob: isGlob,
    deep: false,
  };
}
