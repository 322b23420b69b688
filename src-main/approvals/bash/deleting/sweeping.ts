import { lstat, opendir } from 'node:fs/promises';
import { posix } from 'node:path';
import { isBelow } from '../../../base/is-below';
import { isObeyed } from '../../../base/protected-paths';
import { because, type Reason } from '../../../contract/shared/reasons';
import { directoryAfter } from '../commands/directories';
import { commandsIn, type FoundCommand } from '../commands/walk';
import { readStrictly } from '../parsing/strict';
import { operandsOf, type ShellWord } from '../parsing/words';
import { APPENDS, runsWords, SHELLS } from '../parsing/wrappers';
import { pathNamed, type ShellPlaces } from '../paths/places';
import { realPathOf } from '../paths/real-path';
import { falseBlankIn } from '../verdict/deceptive';
import { runsDeletingCode } from './deleting-code';
import { emptiedBy } from './emptying';
import { switchesTo } from './git-refs';
import { launchedBy } from './launched';
import { deletedByGit, type GitDeletion, movesRef } from './sweeping-git';
import { deletedBySubcommand } from './sweeping-subcommands';

/** Maximum folders, and maximum depth, to search for a repository that would be deleted with them. */
const MAX_FOLDERS = 2_000;
const MAX_DEPTH = 5;
/** Maximum names of one line that are resolved on the disk. */
const MAX_WORDS = 100;

/**
 * Why a line needs approval even if changes in the folder do not: it may delete the whole folder, a repository, or something
 * known only at run time. It judges the resolved places, not the spelling. Null if every deleted thing is named and smaller
 * than that.
 */
export async function whySweeping(source: string, places: ShellPlaces): Promise<Reason | null> {
  const folder = (await realPathOf(places.folder)) ?? places.folder;
  const gone = new Set<string>();
  let followed = 0;
  /** The line has a patch that undoes what is not committed. */
  let isReversed = false;
  /** A branch may have another name when a later command runs. */
  let movesRefs = false;
  for (const found of allCommands(source, places)) {
    const { name, first, directory, by } = found;
    if (first !== undefined && (!first.literal || !first.bare))
      return because('name_unknown_of', { text: first.text });
    const blank = [first, ...found.rest]
      .map((word) => falseBlankIn(word?.text ?? ''))
      .find((code) => code !== null);
    if (blank !== undefined) return because('false_blank', { blank });
    if (found.runsUnknown || runsInput(found)) return because('runs_unknown', { name });
    if (runsDeletingCode(found)) return because('code_may_delete', { name });
    if (found.alsoRuns.some(deletesOrHides)) return because('runs_unknown', { name });
    const runner = by.find((other) => /^(xargs|parallel|find)$/.test(other));
    if (APPENDS.test(runner ?? '') && !found.runsOther && runsWords(name))
      return because('runs_unknown', { name });
    isReversed ||=
      name === 'git' && /^diff (.* )?-R( |$)/.test(found.rest.map(({ value }) => value).join(' '));
    if (isReversed && appliesPatch(found)) return DISCARDS;
    movesRefs ||= name === 'git' && movesRef(found.rest);
    const deletion = deletionOf(runner === undefined ? found : withUnknown(found, runner));
    if (deletion === null) continue;
    if ('always' in deletion) return deletion.always;
    if ('maybeFile' in deletion) {
      const { maybeFile, within } = deletion;
      const at = directoryAfter(within, directory, places.home);
      const real = await realPlace(maybeFile, at, places);
      if (real !== null && !(await exists(real))) continue;
      const isBranch = at !== null && !movesRefs && (await switchesTo(maybeFile.value, at, source));
      if (!isBranch) return DISCARDS;
      continue;
    }
    if (runner !== undefined) return because('passes_files', { runner, name });
    followed += deletion.words.length;
    if (followed > MAX_WORDS) return because('deletes_many', { count: MAX_WORDS });
    for (const word of deletion.words) {
      if (!isPlain(word))
        return because('deletes_unknown', { name: name === '' ? '>' : name, text: word.text });
      const real = await realPlace(word, directory, places);
      if (real === null) return because('depends_on_folder', { text: word.text });
      const why = await whyTooMuch(real, folder, name);
      if (why !== null) return why;
      gone.add(real);
    }
    for (const word of deletion.to ?? []) {
      const real = isPlain(word) ? await realPlace(word, directory, places) : null;
      if (real === null || !isBelow(real, folder)) return because('moves_out', { name, text: word.text });
    }
  }
  return (await leavesNothing(folder, gone)) ? because('deletes_everything') : null;
}

/** The commands of a line, and those that are among their words. */
function* allCommands(source: string, places: ShellPlaces): Generator<FoundCommand> {
  for (const found of commandsIn(source, places)) {
    yield found;
    yield* launchedBy(found, places.home);
  }
}

const appliesPatch = ({ name, rest }: FoundCommand): boolean =>
  name === 'patch' || (name === 'git' && rest.some(({ value }) => value === 'apply'));

/** Whether a command that a program gets as text deletes anything, or is known only at run time: `PAGER=$X git log`. */
const deletesOrHides = (line: string): boolean =>
  [...commandsIn(line, { cwd: '/', home: '/' })].some(
    (found) => deletionOf(found) !== null || found.first?.literal === false,
  );

/** A command with the words that `find` and `xargs` add or replace, which are known only at run time. */
function withUnknown(found: FoundCommand, runner: string): FoundCommand {
  const unknown = { text: '{}', value: '{}', literal: false, bare: true };
  const rest = found.rest.map((word) => (word.value.includes('{}') ? { ...word, literal: false } : word));
  return { ...found, rest: APPENDS.test(runner) ? [...rest, unknown] : rest };
}

/** A shell that reads its commands from a pipe or a here-document. */
function runsInput({ name, first, rest, inputFrom, redirects }: FoundCommand): boolean {
  if (first === undefined || !(SHELLS.has(name) || name === 'source' || name === '.')) return false;
  const operand = rest.find(({ value, literal }) => !literal || !/^[-+]/.test(value));
  if (operand !== undefined) return !operand.literal || /^\/(dev|proc)\//.test(operand.value);
  return inputFrom.length > 0 || redirects.some(({ operator }) => operator.startsWith('<<'));
}

interface Deletion {
  words: readonly ShellWord[];
  /** The destination of a move. */
  to?: readonly ShellWord[];
}

const DELETES = /^(rm|rmdir|unlink|shred|truncate|rimraf|del-cli|del|trash|trash-put|gvfs-trash|srm|wipe)$/;
/** Programs that delete what they find, and the words that make them. */
const DELETES_FOUND: Readonly<Record<string, RegExp>> = {
  fdupes: /^-[^-]*d|^--delete/,
  jdupes: /^-[^-]*d|^--delete/,
  rdfind: /^-deleteduplicates$/,
  tmpreaper: /./,
  tmpwatch: /./,
  stow: /^-[^-]*D|^--delete/,
  mmv: /^-\w*[do]|^--(force|overwrite)/,
  mcp: /^-\w*[do]|^--(force|overwrite)/,
  unison: /^-{1,2}(force|prefer|batch|auto|mirror)/,
  detox: /./,
  convmv: /^--notest$/,
  lftp: /--delete|\bm?rm\b|\brmdir\b/,
};
const DISCARDS = because('discards_uncommitted');

/** What a command deletes, moves away or empties; null if nothing of that is visible. */
function deletionOf(found: FoundCommand): Deletion | GitDeletion | null {
  const emptied = emptiedBy(found);
  return emptied === null ? removalOf(found) : { words: emptied };
}

function removalOf({ name, rest }: FoundCommand): Deletion | GitDeletion | null {
  const values = rest.map(({ value }) => value);
  const operands = operandsOf(rest);
  if (PACKAGES.test(name)) return deletedByPackage(rest);
  const bySubcommand = deletedBySubcommand(name, rest);
  if (bySubcommand !== null) return bySubcommand === 'all' ? { always: DISCARDS } : { words: bySubcommand };
  if (DELETES.test(name)) {
    const isValue = name === 'truncate' || name === 'shred';
    return {
      words: isValue ? operands.filter(({ value }) => !/^[+-]?\d+[kKMGTPE]?B?$/.test(value)) : operands,
    };
  }
  if (/^(npx|bunx|pnpx|npm|pnpm|yarn|bun)$/.test(name)) {
    const at = values.findIndex((value) => PACKAGES.test(withoutVersion(value)));
    return at === -1 ? null : deletedByPackage(rest.slice(at + 1));
  }
  if (name === 'mv') return movedBy(rest, operands);
  if (name === 'rsync')
    return values.some((value) => /^--(del|remove-s)/.test(value))
      ? { always: because('program_deletes', { name }) }
      : null;
  if (name === 'tar')
    return values.some((value) => /^--(rem|recursive-u)/.test(value))
      ? { always: because('deletes_packed', { name }) }
      : null;
  if (name === 'zip')
    return values.some((value) => /^-\w*m|^--mo/.test(value))
      ? { always: because('deletes_packed', { name }) }
      : null;
  if (name === 'find') {
    if (!values.includes('-delete')) return null;
    const places = rest.slice(0, startOfTests(values));
    return { words: places.length > 0 ? places : [HERE] };
  }
  if (name === 'git') return deletedByGit(rest);
  if (name === 'patch' && values.some((value) => /^-[^-DdFgioprVYz]*R|^--reverse/.test(value)))
    return { always: DISCARDS };
  if (Object.hasOwn(DELETES_FOUND, name) && values.some((value) => DELETES_FOUND[name]?.test(value) === true))
    return { always: because('program_deletes', { name }) };
  if (/^(gzip|zstd)$/.test(name) && values.some((value) => /^-\w*r|^--rec/.test(value)))
    return { words: operands };
  if (name === 'rclone' && /^(purge|delete|sync|move|rmdirs?|cleanup)/.test(operands[0]?.value ?? ''))
    return { always: because('program_deletes', { name }) };
  if (/^7z[ar]?$/.test(name) && values.includes('-sdel'))
    return { always: because('deletes_packed', { name }) };
  // Making a whole folder unreadable, or giving it to another user, is as bad as deleting it.
  if (
    /^(chmod|chown|chgrp|setfacl|chattr)$/.test(name) &&
    values.some((value) => /^-\w*R|^--rec/.test(value))
  )
    return { words: operands.slice(1) };
  return null;
}

/** These programs expand patterns themselves. */
const PACKAGES = /^(rimraf|del-cli|del|trash)$/;
const withoutVersion = (value: string) => value.replace(/(?<=.)@.*$/, '');

function deletedByPackage(rest: readonly ShellWord[]): Deletion | { always: Reason } {
  const words = operandsOf(rest);
  const pattern = words.find(({ value }) => /[*?[{!]/.test(value));
  return pattern === undefined
    ? { words }
    : { always: because('deletes_by_pattern', { text: pattern.text }) };
}

function movedBy(rest: readonly ShellWord[], operands: readonly ShellWord[]): Deletion {
  const at = rest.findIndex(({ value }) => /^(-t|--target-directory)$/.test(value));
  const named = rest[at + 1];
  if (at !== -1 && named !== undefined)
    return { words: operands.filter((word) => word !== named), to: [named] };
  const joined = rest.find(({ value }) => /^(-t.|--target-directory=)/.test(value));
  if (joined !== undefined) {
    const value = joined.value.replace(/^(-t|--target-directory=)/, '');
    return { words: operands, to: [{ ...joined, value, text: value }] };
  }
  return { words: operands.slice(0, -1), to: operands.slice(-1) };
}

/** `find` without a place starts in the current directory. */
const HERE: ShellWord = { text: '.', value: '.', literal: true, bare: true };

const startOfTests = (values: readonly string[]): number => {
  const at = values.findIndex((value) => /^[-!(]/.test(value));
  return at === -1 ? values.length : at;
};

/** Whether every shell reads the word literally. `name/..` qualifies: the disk shows where it leads. */
function isPlain({ text, value, literal }: ShellWord): boolean {
  if (!literal) return false;
  const strict = readStrictly(`x ${text.replaceAll('..', '__')}`);
  return (
    strict?.length === 1 &&
    strict[0]?.words.length === 2 &&
    strict[0].words[1]?.value === value.replaceAll('..', '__')
  );
}

/** The resolved place of a word, keeping a link that it names itself; null if unknown. */
async function realPlace(
  { value }: ShellWord,
  directory: string | null,
  { home, cwd }: ShellPlaces,
): Promise<string | null> {
  const isRelative = !value.startsWith('/');
  if (isRelative && directory === null) return null;
  if (isRelative && directory !== null && directory !== cwd) {
    const found = await realPathOf(directory);
    const stats = found === null ? null : await lstat(found).catch(() => null);
    if (stats?.isDirectory() !== true) return null;
  }
  return realPathOf(pathNamed(value, { cwd: directory ?? '/', home }), { keepLast: true });
}

const exists = async (path: string): Promise<boolean> => (await lstat(path).catch(() => null)) !== null;

async function whyTooMuch(real: string, folder: string, name: string): Promise<Reason | null> {
  if (isBelow(folder, real)) return because('affects_folder', { command: `${name} ${real}` });
  if (!isBelow(real, folder)) return null;
  const inside = posix.relative(folder, real);
  if (isObeyed(inside)) return because('names_obeyed', { path: inside });
  const own = inside.split('/').findIndex((one) => REPOSITORY.test(one));
  const above = own === -1 ? null : posix.join(folder, ...inside.split('/').slice(0, own));
  const repository = above ?? (await repositoryBelow(real));
  return repository === null
    ? null
    : because('deletes_repository', { path: posix.relative(folder, repository) });
}

/** Where version control systems keep a repository. */
const REPOSITORY = /^(\.(git|hg|jj|svn|bzr|pijul)|_darcs)$/i;

/** A repository at or below a folder, in the usual locations. */
async function repositoryBelow(folder: string): Promise<string | null> {
  let open = [folder];
  let left = MAX_FOLDERS;
  for (let depth = 0; depth < MAX_DEPTH && open.length > 0; depth++) {
    const next: string[] = [];
    for (const place of open) {
      if (--left < 0) return null;
      const found = await lstat(place).catch(() => null);
      if (found?.isDirectory() !== true) continue;
      const entries = await opendir(place).catch(() => null);
      if (entries === null) continue;
      for await (const entry of entries) {
        if (REPOSITORY.test(entry.name)) return place;
        if (entry.isDirectory() && entry.name !== 'node_modules') next.push(`${place}/${entry.name}`);
      }
    }
    open = next;
  }
  return null;
}

/** Whether these are all visible entries of a folder that has more than one. */
async function leavesNothing(folder: string, gone: ReadonlySet<string>): Promise<boolean> {
  if (gone.size < 2) return false;
  const entries = await opendir(folder).catch(() => null);
  if (entries === null) return false;
  let count = 0;
  for await (const { name } of entries) {
    if (name.startsWith('.')) continue;
    if (!gone.has(`${folder}/${name}`)) return false;
    count++;
  }
  return count > 0;
}
