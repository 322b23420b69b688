import { readdir } from 'node:fs/promises';
import { posix } from 'node:path';
import { nameMatcher } from '../parsing/glob';
import { isInterpreter, scriptWords } from '../parsing/interpreters';
import type { ShellPlaces } from '../paths/places';
import { from, isFile } from './script-file';

/** Maximum files of one line, and entries that are listed to find them. */
const MAX_PICKED = 200;
const MAX_LISTED = 5_000;
/** Maximum `{a,b}` in one path. */
const MAX_BRACES = 4;

/** Programs that print names of files. */
const LISTS = /^(find|fd|fdfind|ls|git|rg|[efz]?grep|locate|tree)$/;
const PATTERN = /[*?[]/;
/** A word whose end is known only at run time: `{}`, `scripts/$f`, `$(ls)`. */
const AT_RUN_TIME = /^([^$`]*\/)?(\{\}|\$\w+|\$\{\w+\})$|^(\$\(|`)/;

interface Command {
  written?: readonly string[];
  directory?: string | null;
  isOpen?: true;
}

/** The files that a path with a pattern stands for: `scripts/*.sh`, `{a,b}.sh`. Empty for a path without one. */
export async function matching(path: string): Promise<string[]> {
  const paths = withoutBraces(path);
  const found: string[] = [];
  for (const one of paths) found.push(...(await matchingPattern(one)));
  return found.length > 0 || paths.length === 1 ? found : onlyFiles(paths);
}

function withoutBraces(path: string): string[] {
  let open = [path];
  for (let depth = 0; depth < MAX_BRACES; depth++)
    open = open
      .flatMap((one) => {
        const [all, inside = ''] = /\{([^{}]*)\}/.exec(one) ?? [];
        if (all === undefined || !inside.includes(',')) return [one];
        return inside.split(',').map((part) => one.replace(all, () => part));
      })
      .slice(0, MAX_PICKED);
  return open;
}

async function matchingPattern(path: string): Promise<string[]> {
  const names = path.split('/').filter((name) => name !== '');
  if (!names.some((name) => PATTERN.test(name))) return [];
  let folders = ['/'];
  for (const [at, name] of names.entries()) {
    const isLast = at === names.length - 1;
    const next: string[] = [];
    for (const folder of folders.slice(0, MAX_PICKED)) {
      if (!PATTERN.test(name)) next.push(posix.join(folder, name));
      else {
        const fits = nameMatcher(name);
        const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
        for (const entry of entries.slice(0, MAX_LISTED))
          if (fits(entry.name) && (isLast || !entry.isFile())) next.push(posix.join(folder, entry.name));
      }
    }
    folders = next;
  }
  return onlyFiles(folders);
}

/**
 * Files that `find -exec sh {} \;`, `… | xargs bash` or a loop over names may run: what `find` and the like may list, by the
 * folders and name patterns that the line gives them.
 */
export async function pickedFiles(parts: readonly Command[], places: ShellPlaces): Promise<string[]> {
  if (!parts.some(runsPicked)) return [];
  const lists = parts.filter(({ written: [name = ''] = [] }) => LISTS.test(name));
  const isFed = parts.some(
    ({ written: [name = '', ...words] = [], isOpen }) =>
      name === 'read' || [name, ...words].includes('{}') || (isOpen === true && isInterpreter(name)),
  );
  const found: string[] = [];
  for (const list of lists.length > 0 || !isFed ? lists : [{ written: ['find'] }])
    found.push(...(await listed(list, places)));
  return [...new Set(found)].sort().slice(0, MAX_PICKED);
}

/** Whether a command runs a file whose name arrives at run time. */
function runsPicked({ written: [name = '', ...words] = [], isOpen }: Command): boolean {
  if (AT_RUN_TIME.test(name)) return true;
  if (/^fd(find)?$/.test(name)) return words.some((word) => /^(-[xX]|--exec)/.test(word));
  if (!isInterpreter(name)) return false;
  const scripts = scriptWords(name, words);
  return isOpen === true || scripts.some((word) => AT_RUN_TIME.test(word));
}

/** What a program may list: files below its folders whose names match its patterns. */
async function listed({ written = [], directory }: Command, places: ShellPlaces): Promise<string[]> {
  if (directory === null) return [];
  const start = directory ?? places.cwd;
  const [name = '', ...words] = written;
  const end = name === 'find' ? words.findIndex((word) => /^(-exec|-ok)/.test(word)) : -1;
  const own = end === -1 ? words : words.slice(0, end);
  const patterns = own
    .filter((word) => PATTERN.test(word))
    .map((word) => nameMatcher(posix.basename(word).toLowerCase()));
  const named = own
    .filter(
      (word) => !word.startsWith('-') && (!PATTERN.test(word) || (name !== 'find' && word.includes('/'))),
    )
    .map((word) => from(start, beforePattern(word)));
  const files = await filesBelow(await foldersAmong(named.length > 0 ? named : [start], start));
  const isMeant = (path: string) =>
    patterns.length === 0 || patterns.some((fits) => fits(posix.basename(path).toLowerCase()));
  return [...(await onlyFiles(named)), ...files.filter(isMeant)];
}

/** The folders of a path up to the first with a pattern in its name. */
function beforePattern(path: string): string {
  const at = path.search(PATTERN);
  return at === -1 ? path : path.slice(0, path.lastIndexOf('/', at) + 1);
}

async function foldersAmong(paths: readonly string[], otherwise: string): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths) {
    const isFolder = await readdir(path).then(
      () => true,
      () => false,
    );
    if (isFolder) found.push(path);
  }
  return found.length > 0 ? found : [otherwise];
}

/** Files below folders, but not in repositories or packages. */
async function filesBelow(folders: readonly string[]): Promise<string[]> {
  const open = [...folders];
  const found: string[] = [];
  let left = MAX_LISTED;
  for (let folder = open.shift(); folder !== undefined && left > 0; folder = open.shift()) {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    for (const entry of entries.slice(0, left)) {
      left--;
      const path = posix.join(folder, entry.name);
      if (!entry.isDirectory()) found.push(path);
      else if (!/^(\.git|node_modules)$/.test(entry.name)) open.push(path);
    }
  }
  return onlyFiles(found);
}

async function onlyFiles(paths: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths.slice(0, MAX_LISTED)) if (await isFile(path)) found.push(path);
  return found;
}
