import type { Stats } from 'node:fs';
import { join } from 'node:path';
import { asBytes, type IgnoreRules, parseIgnoreFile } from '../base/globs/ignore-rules';
import { systemPath } from '../base/path-names';
import type { FolderReader } from './folder-reader';
import type { NamedLimits } from './protocol';
import { readInside } from './system';

/** Never kept, whatever ignore files say: recreated by a program, or huge. A path that a command names is still kept. */
const NEVER = new Set(['.git', '.hg', '.svn', 'node_modules', '__pycache__', '.venv', '.DS_Store']);
/** Whether a name is that of a temporary file that we and the backends use while writing a file. */
export const isTemporary = (name: string): boolean => /\.deepdesk-(tmp|undo)$/.test(name);
/** Bytes of an ignore file that are read. */
const MAX_RULES = 1024 * 1024;

interface RulesOf {
  parent: RulesOf | null;
  /** Length in bytes of its folder's path, including the final `/`. */
  from: number;
  rules: IgnoreRules[];
}

/** Files that change what is excluded. */
export const isIgnoreFile = (path: string): boolean => path === '.gitignore' || path.endsWith('/.gitignore');

/**
 * Decides which entries of a folder are not kept: those that git ignores and a few names. Enter a folder before you ask
 * about its entries.
 */
export class Excluded {
  private readonly rules = new Map<string, RulesOf | null>();

  constructor(private readonly root: string) {}

  /** Reads the ignore files of a folder again ('' is the root). */
  enter(folder: string, hasIgnoreFile: boolean): void {
    const parent = this.rules.get(parentOf(folder)) ?? null;
    const outer = folder === '' ? null : parent;
    const texts = [
      ...(hasIgnoreFile ? [this.read(join(folder, '.gitignore'))] : []),
      ...(folder === '' ? [this.read('.git/info/exclude')] : []),
    ];
    const rules = texts.flatMap((text) => (text === null ? [] : (parseIgnoreFile(text) ?? [])));
    const from = folder === '' ? 0 : bytesOf(folder).length + 1;
    this.rules.set(folder, rules.length === 0 ? outer : { parent: outer, from, rules });
  }

  /** Whether an entry of an entered folder is excluded. */
  has(path: string, name: string, isFolder: boolean): boolean {
    if (NEVER.has(name) || isTemporary(name)) return true;
    const at = this.rules.get(parentOf(path)) ?? null;
    if (at === null) return false;
    const bytes = bytesOf(path);
    for (let scope: RulesOf | null = at; scope !== null; scope = scope.parent)
      for (const rules of scope.rules) {
        const verdict = rules(bytes.slice(scope.from), isFolder);
        if (verdict !== null) return verdict === 'ignored';
      }
    return false;
  }

  /** Whether an entry is excluded, or a folder above it. */
  hasPath(path: string, isFolder: boolean): boolean {
    const names = path.split('/');
    return names.some((name, index) =>
      this.has(names.slice(0, index + 1).join('/'), name, isFolder || index < names.length - 1),
    );
  }

  forget(): void {
    this.rules.clear();
  }

  private read(file: string): string | null {
    return readInside(this.root, file, MAX_RULES)?.toString('utf8') ?? null;
  }
}

/**
 * The excluded entries below a folder; all of them if the folder itself `isExcluded`. `isWithin`: the contents of the entry and
 * of those before it do not exceed the limits.
 */
export function* excludedBelow(
  reader: FolderReader,
  rules: Excluded,
  root: string,
  isExcluded: boolean,
  limits: NamedLimits,
): Generator<{ path: string; stat: Stats; isWithin: boolean }> {
  let files = 0;
  let bytes = 0;
  const folders = [{ at: root, isExcluded }];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop())
    for (const entry of reader.entriesOf(folder.at)) {
      const path = folder.at === '' ? entry.name : `${folder.at}/${entry.name}`;
      const isFolder = entry.isDirectory();
      const isOut = folder.isExcluded || rules.has(path, entry.name, isFolder);
      if (isFolder) folders.push({ at: path, isExcluded: isOut });
      const stat = isOut ? reader.keptAt(path) : null;
      if (stat === null) continue;
      files += 1;
      bytes += stat.isFile() ? stat.size : 0;
      yield { path, stat, isWithin: files <= limits.files && bytes <= limits.bytes };
    }
}

/** The bytes that the rules match, one per character. */
const bytesOf = (path: string): string => {
  const host = systemPath(path);
  return Buffer.isBuffer(host) ? host.toString('latin1') : asBytes(host);
};

/** The folders above a path, outermost first. */
export function foldersAbove(path: string): string[] {
  const names = path.split('/').slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
}

/** '' for entries of the root. */
export function parentOf(path: string): string {
  const cut = path.lastIndexOf('/');
  return cut < 0 ? '' : path.slice(0, cut);
}
