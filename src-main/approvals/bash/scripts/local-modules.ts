import { dirname, extname, posix } from 'node:path';
import { isBelow } from '../../../base/is-below';
import { isRecord } from '../../../base/is-record';
import { parseJson } from '../../../base/limited-json';
import { readRegularText } from '../../../base/open-regular';
import { isRefused } from '../../../base/regular-file';
import { isFile } from './script-file';

/** Maximum modules of one script. */
const MAX_MODULES = 30;
/** Maximum UTF-16 units of a script to search for module names. */
const MAX_SEARCHED = 200_000;
/** Maximum words of a command to look up among package programs. */
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
const NODE_NAMES =
  /(?:\bfrom|\bimport|\brequire(?:\.resolve)?|\bfork|\bWorker|\bURL)\s*(?:\(\s*)?(["'`])(\.{1,2}\/[^"'`\n]{1,300})\1/g;
const PYTHON_NAMES =
  /^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import[ \t]+(\([^)]{0,2000}\)|[^\n#]+)|import[ \t]+([\w., \t]+))/gm;
const RUBY_NAMES = /\b(?:require(?:_relative)?|load)\s*(?:\(\s*)?(["'])([^"'\n]{1,300})\1/g;
/** Also `__DIR__ . '/x.php'`. */
const PHP_NAMES =
  /\b(?:include|require)(?:_once)?\b[\s(]{0,20}(?:(?:__DIR__|dirname\(__FILE__\))\s?\.\s?)?(["'])([^"'\n]{1,300})\1/g;
const PERL_FILES = /\b(?:require|do)\b[\s(]{0,20}(["'])([^"'\n]{1,300})\1/g;
const PERL_MODULES = /^[ \t]*(?:use|require|no)[ \t]+([A-Za-z]\w*(?:::\w+)*)/gm;
/** Also `"$FindBin::Bin/../lib"`. */
const PERL_FOLDERS = /^[ \t]*use[ \t]+lib\b([^;\n]{1,300})/gm;
const LUA_NAMES = /\b(?:require|dofile|loadfile)\s*(?:\(\s*)?(["'])([^"'\n]{1,300})\1/g;
/** `source x.R`, `include("x.jl")`, `load "x.tcl"`. */
const OTHER_NAMES = /\b(?:source|include|load)\b[\s(]{0,20}(["']?)([\w./-]{1,300})\1/g;
/** Folders below the project where interpreters are usually told to look for modules. */
const MODULE_FOLDERS = ['', 'src', 'lib'];

/**
 * Files in the folder that a script loads as modules by a literal name. `text` is the whole script, and `start` the folder of
 * the script that runs, where interpreters also look, as in the absolute `folders` that an option names. Packages and names
 * computed at run time are not found.
 */
export async function localModules(
  script: string,
  text: string,
  { root, start, folders = [] }: { root: string; start: string; folders?: readonly string[] },
): Promise<string[]> {
  const found: string[] = [];
  for (const candidates of named(script, text.slice(0, MAX_SEARCHED), [
    start,
    ...folders,
    ...MODULE_FOLDERS.map((below) => posix.join(root, below)),
  ])) {
    if (found.length >= MAX_MODULES) break;
    for (const name of candidates) {
      const path = posix.isAbsolute(name) ? name : posix.join(dirname(script), name);
      if (!isBelow(path, root) || !(await isFile(path))) continue;
      if (!found.includes(path)) found.push(path);
      break;
    }
  }
  return found;
}

/** Possible locations of each module, relative to the script's folder or absolute. */
function named(script: string, text: string, starts: readonly string[]): string[][] {
  const [line = ''] = text.split('\n', 1);
  const isBy = (program: RegExp) => line.startsWith('#!') && program.test(line);
  if (/^\.[cm]?[jt]sx?$/.test(extname(script)) || isBy(/\b(node|deno|bun|tsx)\b/))
    return [...text.matchAll(NODE_NAMES)].map(([, , name = '']) => [
      ...NODE_ENDINGS.map((ending) => `${name}${ending}`),
      // TypeScript imports use the name of the compiled file.
      name.replace(/\.([cm]?)js$/, '.$1ts'),
    ]);
  if (extname(script) === '.py' || isBy(/\bpython/)) return pythonModules(text, starts);
  const inStarts = (names: readonly string[]) => [
    ...names,
    ...starts.flatMap((start) => names.map((name) => posix.join(start, name))),
  ];
  const loads = (names: RegExp, forms: (name: string) => string[]) =>
    [...text.matchAll(names)].map(([, , name = '']) => inStarts(forms(name)));
  if (extname(script) === '.rb' || isBy(/\bruby\b/)) return loads(RUBY_NAMES, (name) => [name, `${name}.rb`]);
  if (/^\.(php|phtml|inc)$/.test(extname(script)) || isBy(/\bphp/))
    return loads(PHP_NAMES, (name) => [name, `./${name}`]);
  if (/^\.(pl|pm|t)$/.test(extname(script)) || isBy(/\bperl/)) return perlFiles(text, inStarts);
  if (extname(script) === '.lua' || isBy(/\blua/))
    return loads(LUA_NAMES, (name) => [name, `${name.replaceAll('.', '/')}.lua`]);
  if (/^\.(R|jl|tcl|exp)$/.test(extname(script)) || isBy(/\b(Rscript|julia|tclsh|expect)/))
    return loads(OTHER_NAMES, (name) => [name]);
  return [];
}

/** `use A::B`, `require './x.pl'`, and the same below the folders of `use lib`. */
function perlFiles(text: string, inStarts: (names: string[]) => string[]): string[][] {
  const folders = [...text.matchAll(PERL_FOLDERS)].flatMap(([, list = '']) =>
    (list.replaceAll(/\$\w+(::\w+)*\/?|["'();,]|\bqw\b/g, ' ').match(/\S+/g) ?? []).slice(0, MAX_WORDS),
  );
  const below = (name: string) => inStarts([name, ...folders.map((folder) => posix.join(folder, name))]);
  return [
    ...[...text.matchAll(PERL_FILES)].map(([, , name = '']) => below(name)),
    ...[...text.matchAll(PERL_MODULES)].map(([, name = '']) => below(`${name.replaceAll('::', '/')}.pm`)),
  ];
}

/** `import a.b`, `from .a import b`, where `b` may be a module, too. A dot is the module's own folder, and two its parent. */
function pythonModules(text: string, starts: readonly string[]): string[][] {
  const places = (module: string): string[] => {
    const [dots = ''] = /^\.*/.exec(module) ?? [];
    const path = module.slice(dots.length).replaceAll('.', '/');
    if (path === '') return [];
    const files = [`${path}.py`, `${path}/__init__.py`];
    const above = '../'.repeat(Math.max(0, dots.length - 1));
    return dots === ''
      ? [...files, ...starts.flatMap((start) => files.map((file) => posix.join(start, file)))]
      : files.map((file) => `${above}${file}`);
  };
  return [...text.matchAll(PYTHON_NAMES)].flatMap(([, module, members = '', list]) => {
    const names = (list ?? members.replace(/[()\s]+/g, ' '))
      .split(',')
      .map((one) => one.trim().split(/\s/)[0] ?? '');
    if (module === undefined) return names.map(places);
    const below = /\.$/.test(module) ? module : `${module}.`;
    return [places(module), ...names.map((name) => (/^\w+$/.test(name) ? places(`${below}${name}`) : []))];
  });
}

/** `tool`, `tool@1.2`, `@scope/tool`. */
const PACKAGE = /^((?:@\w[\w.-]*\/)?\w[\w.-]*)(?:@[^/]*)?$/;
/** Maximum bytes of a package's package.json. */
const MAX_PACKAGE = 1024 * 1024;

/**
 * The package programs that words of a command name, in `node_modules` of these folders, in their order: in `.bin`, or in the
 * package of that name.
 */
export async function packagePrograms(
  words: readonly string[],
  folders: readonly string[],
): Promise<string[]> {
  const found: string[] = [];
  for (const word of words.slice(0, MAX_WORDS)) {
    const name = PACKAGE.exec(word)?.[1];
    if (name === undefined) continue;
    for (const folder of folders) {
      const program = posix.join(folder, 'node_modules/.bin', name);
      const isProgram = !name.includes('/') && (await isFile(program));
      const own = isProgram ? [program] : await programsOf(posix.join(folder, 'node_modules', name));
      found.push(...own);
      if (own.length > 0) break;
    }
  }
  return found;
}

/** The programs of an installed package, and the file that names them. */
async function programsOf(folder: string): Promise<string[]> {
  const manifest = posix.join(folder, 'package.json');
  const read = await readRegularText(manifest, { root: null, maxBytes: MAX_PACKAGE });
  if (isRefused(read)) return [];
  const parsed = parseJson(read.text, { maxBytes: MAX_PACKAGE });
  const bin = 'value' in parsed && isRecord(parsed.value) ? parsed.value.bin : undefined;
  const named = isRecord(bin) ? Object.values(bin) : [bin];
  const paths = named
    .slice(0, MAX_WORDS)
    .flatMap((path) => (typeof path === 'string' ? [posix.join(folder, path)] : []));
  const found = await Promise.all(paths.map(async (path) => ((await isFile(path)) ? [path] : [])));
  return [manifest, ...found.flat()];
}
