import { stat } from 'node:fs/promises';
import { dirname, extname, posix } from 'node:path';
import { isBelow } from '../../base/is-below';

/** Modules of one script. */
const MAX_MODULES = 30;
/** UTF-16 units of a script that are searched for the names of modules. */
const MAX_SEARCHED = 200_000;
/** Words of a command that are looked up among the programs of packages. */
const MAX_WORDS = 20;

const NODE_ENDINGS = [
  '',
  '.js',
  '.mjs',
  '.cjs',
  '.ts',
  '.mts',
  '.cts',
  '.tsx',
  '.jsx',
  '.json',
  '/index.js',
  '/index.ts',
];
const NODE_NAMES = /(?:\bfrom|\bimport|\brequire(?:\.resolve)?)\s*\(?\s*(["'`])(\.{1,2}\/[^"'`\n]{1,300})\1/g;
const PYTHON_NAMES = /^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import|import[ \t]+([\w., \t]+))/gm;
const RUBY_NAMES = /\brequire_relative\s*\(?\s*(["'])([^"'\n]{1,300})\1/g;

/**
 * Files of the folder that a script loads as modules by a name that stands in it, one level deep. `text`: the whole script.
 * Names that are made up as it runs are not seen, nor are packages.
 */
export async function localModules(script: string, text: string, root: string): Promise<string[]> {
  const found: string[] = [];
  for (const candidates of named(script, text.slice(0, MAX_SEARCHED))) {
    if (found.length >= MAX_MODULES) break;
    for (const name of candidates) {
      const path = posix.join(dirname(script), name);
      if (!isBelow(path, root) || !(await isFile(path))) continue;
      if (!found.includes(path)) found.push(path);
      break;
    }
  }
  return found;
}

/** Where each module may be, from the script's folder. */
function named(script: string, text: string): string[][] {
  const [line = ''] = text.split('\n', 1);
  const isBy = (program: RegExp) => line.startsWith('#!') && program.test(line);
  if (/^\.[cm]?[jt]sx?$/.test(extname(script)) || isBy(/\b(node|deno|bun|tsx)\b/))
    return [...text.matchAll(NODE_NAMES)].map(([, , name = '']) => [
      ...NODE_ENDINGS.map((ending) => `${name}${ending}`),
      // TypeScript is imported by the name of what it becomes.
      name.replace(/\.([cm]?)js$/, '.$1ts'),
    ]);
  if (extname(script) === '.py' || isBy(/\bpython/))
    return [...text.matchAll(PYTHON_NAMES)].flatMap(([, from, list = '']) =>
      (from === undefined ? list.split(',') : [from]).flatMap((name) => {
        const path = (name.trim().split(/\s/)[0] ?? '').replace(/^\.+/, '').replaceAll('.', '/');
        return path === '' ? [] : [[`${path}.py`, `${path}/__init__.py`]];
      }),
    );
  if (extname(script) === '.rb' || isBy(/\bruby\b/))
    return [...text.matchAll(RUBY_NAMES)].map(([, , name = '']) => [name, `${name}.rb`]);
  return [];
}

/** The programs of packages that words of a command name: `node_modules/.bin` of these folders, the first first. */
export async function packagePrograms(
  words: readonly string[],
  folders: readonly string[],
): Promise<string[]> {
  const found: string[] = [];
  for (const word of words.slice(0, MAX_WORDS)) {
    if (!/^[\w.@-]+$/.test(word) || word.startsWith('-') || word.startsWith('.')) continue;
    for (const folder of folders) {
      const path = posix.join(folder, 'node_modules/.bin', word);
      if (!(await isFile(path))) continue;
      found.push(path);
      break;
    }
  }
  return found;
}

const isFile = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => null))?.isFile() === true;
