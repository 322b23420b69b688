import { stat } from 'node:fs/promises';
import { dirname, isAbsolute, posix } from 'node:path';
import { isBelow } from '../../base/is-below';
import { parseJson } from '../../base/limited-json';
import { readRegularText } from '../../base/open-regular';
import { isRefused } from '../../base/regular-file';
import type { ShellPart } from './analyze';
import { parseLine } from './commands';
import { isInterpreter, NODE_LOADS, scriptWords } from './interpreters';
import { localModules, packagePrograms } from './local-modules';
import { type PackageRun, packageRun } from './package-scripts';
import type { ShellPlaces } from './places';
import { commandsAfter, sameCommand } from './subcommands';

/** The file content that a command runs. The card shows it, and an answer covers exactly this content. */
export interface ScriptBehind {
  /** Absolute paths of the files in execution order. */
  paths: string[];
  /** The executed part, as the card shows it. */
  text: string;
}

interface Script extends ScriptBehind {
  /** All of the executed part, if the card shows less. */
  whole?: string;
}

type Command = Pick<ShellPart, 'written' | 'named' | 'input' | 'directory'>;

/** Maximum depth of scripts that run scripts. */
const MAX_DEPTH = 4;
/** Maximum files of one line. */
const MAX_FILES = 50;
/** Maximum UTF-16 units of all scripts of one line that are searched for the commands that these run. */
const MAX_SEARCHED = 100_000;
/** Maximum UTF-16 units of a file on the card. */
const MAX_PREVIEW_LENGTH = 8_000;

/**
 * The files besides programs that the commands of a line run: the package.json of `npm test`, the Makefile of `make`, `x.sh`
 * of `bash x.sh`, `./x`, the files that these name in turn, modules in the folder that a script loads (one level deep), and
 * programs in `node_modules/.bin` that a package.json script or `npx` starts. Returns absolute paths of existing files, each
 * once, in the order in which they are reached. The person's answer about the line is bound to their contents.
 */
export async function filesBehind(
  parts: readonly Command[],
  places: ShellPlaces,
): Promise<{ path: string }[]> {
  const found: Found = { files: new Set(), texts: new Set(), left: MAX_SEARCHED };
  await collect(parts, places, found, 0);
  return [...found.files].map((path) => ({ path }));
}

interface Found {
  files: Set<string>;
  /** Texts read so far, since one package.json has many scripts. */
  texts: Set<string>;
  /** UTF-16 units of scripts that are still searched for commands. */
  left: number;
}

async function collect(
  parts: readonly Command[],
  places: ShellPlaces,
  found: Found,
  depth: number,
  isPackage = false,
): Promise<void> {
  const isPiped = parts.some(
    ({ written: [name = ''] = [], input }) => isInterpreter(name) && input?.length === 0,
  );
  for (const part of parts) {
    if (found.files.size >= MAX_FILES) return;
    if (isPiped) for (const path of await filesAmong(part, places)) found.files.add(path);
    const programs = await packagePrograms(programWords(part, isPackage), foldersOf(part, places));
    for (const script of await scriptsBehind(part, places))
      await collectScript(part, script, places, found, depth);
    for (const path of programs) found.files.add(path);
  }
}

async function collectScript(
  part: Command,
  script: Script,
  places: ShellPlaces,
  found: Found,
  depth: number,
): Promise<void> {
  const [first = ''] = script.paths;
  const known = `${first}\n${script.text}`;
  if (found.texts.has(known)) return;
  found.texts.add(known);
  for (const path of script.paths) found.files.add(path);
  const isPackage = posix.basename(first) === 'package.json';
  for (const path of await decidingFiles(script, places.folder)) found.files.add(path);
  if (depth >= MAX_DEPTH) return;
  if (!isPackage && !isShellScript(first, script.text)) return;
  const directory = isPackage ? dirname(first) : (part.directory ?? places.cwd);
  const searched = (script.whole ?? script.text).slice(0, found.left);
  found.left -= searched.length;
  await collect(commandsOf(searched, directory), places, found, depth + 1, isPackage);
}

/** The files that a command names: a shell that reads its output may run them, as in `cat x.sh | sh`. */
async function filesAmong({ written = [], directory }: Command, places: ShellPlaces): Promise<string[]> {
  if (directory === null) return [];
  const paths = written.slice(1, 1 + MAX_FILES).map((word) => from(directory ?? places.cwd, word));
  const found = await Promise.all(paths.map(async (path) => ((await isFile(path)) ? [path] : [])));
  return found.flat();
}

/** The words of a command that may name a package program: all of them in a package.json script. */
const programWords = ({ written = [] }: Command, isPackage: boolean): readonly string[] =>
  isPackage ? written : [...new Set(commandsAfter(sameCommand(written)).flatMap(([word = '']) => [word]))];

const foldersOf = ({ directory }: Command, places: ShellPlaces): string[] =>
  directory === null ? [] : foldersUpTo(directory ?? places.cwd, places.folder);

/** Package manager settings that name the shell for scripts, or programs or modules that load first. */
const SETTINGS = ['.npmrc', '.yarnrc', '.yarnrc.yml', '.pnpmfile.cjs', '.pnp.cjs', 'pnpm-workspace.yaml'];

/** Files that influence what a script runs: settings beside a package.json, files that a Makefile includes, modules. */
async function decidingFiles({ paths, text }: ScriptBehind, root: string): Promise<string[]> {
  const [script = ''] = paths;
  const folder = dirname(script);
  const name = posix.basename(script);
  const named =
    name === 'package.json'
      ? foldersUpTo(folder, root).flatMap((above) => SETTINGS.map((setting) => posix.join(above, setting)))
      : /^(gnu)?makefile$|\.(mk|make)$/i.test(name)
        ? [...text.matchAll(/^ *[-s]?include +([^#\n]+)/gm)].flatMap(([, files = '']) =>
            files.trim().split(/\s+/),
          )
        : /^\.?justfile$/i.test(name)
          ? [...text.matchAll(/^(?:import|mod)\?? +['"]?([^'"\n]+)/gm)].map(([, file = '']) => file.trim())
          : [];
  const found: string[] = [];
  for (const file of named) {
    const path = from(folder, file);
    if (await isFile(path)) found.push(path);
  }
  for (const path of paths) {
    if (posix.basename(path) === 'package.json') continue;
    // The card may show a truncated text.
    const whole = await readText(path);
    if (whole !== null) found.push(...(await localModules(path, whole, root)));
  }
  return found;
}

/** A folder and its parents within the project, since a workspace follows the root's settings. */
function foldersUpTo(folder: string, root: string): string[] {
  const all = [folder];
  for (let at = folder; at !== root && isBelow(dirname(at), root); at = dirname(at)) all.push(dirname(at));
  return all;
}

const isShellScript = (path: string, text: string) =>
  /\.(sh|bash)$/.test(path) || /^#!.*\b(sh|bash|dash|zsh|ksh)\b/.test(text) || !text.startsWith('#!');

/** The commands of a text, which start in `directory`. */
export const commandsOf = (text: string, directory: string): Command[] =>
  parseLine(text).commands.flatMap(({ words, redirects, inputFrom }) => {
    const [first = '', ...rest] = words.map(({ value }) => value);
    if (words.length === 0) return [];
    const input = redirects.flatMap(({ operator, target }) =>
      operator === '<' && target !== null ? [target.value] : [],
    );
    return [
      {
        written: [posix.basename(first), ...rest],
        ...(first.includes('/') ? { named: first } : {}),
        ...(input.length > 0 || inputFrom.length > 0 ? { input } : {}),
        directory,
      },
    ];
  });

/** What the card shows of the files that one command runs; null if there is nothing to show. */
export async function scriptBehind(part: Command, places: ShellPlaces): Promise<ScriptBehind | null> {
  const scripts = (await scriptsBehind(part, places)).filter(({ text }) => text !== '');
  if (scripts.length === 0) return null;
  return { paths: scripts.flatMap(({ paths }) => paths), text: scripts.map(({ text }) => text).join('\n') };
}

/** The files that one command runs; none if its directory is unknown. */
async function scriptsBehind(part: Command, places: ShellPlaces): Promise<Script[]> {
  const { written, named, input = [], directory = places.cwd } = part;
  if (written === undefined || directory === null) return [];
  const run = packageRun(written);
  if (run !== null) return packageScripts(run, directory);
  const [name = ''] = written;
  const found: Script[] = [];
  // What a shell and the like read as their input runs, too.
  const typed = isInterpreter(name) ? input.map((file) => [file]) : [];
  for (const candidates of [...(named === undefined ? [] : [[named]]), ...filesNamed(written), ...typed])
    for (const candidate of candidates) {
      const path = from(directory, candidate);
      const text = await readText(path);
      if (text === null) continue;
      const isProgram = PROGRAM.test(text);
      // The agent cannot change a program outside the folder, such as /usr/bin/env.
      if (isProgram && !isBelow(path, places.folder)) break;
      found.push(
        isProgram ? { paths: [path], text: '' } : { paths: [path], text: shorten(text), whole: text },
      );
      break;
    }
  const first = await loadedFirst(written, directory);
  if (first.length > 0) found.push({ paths: first, text: '' });
  return found;
}

/** The beginning of a binary program for Linux, Windows or macOS, decoded as text. It has nothing to show. */
const PROGRAM = /^(\x7fELF|MZ|\ufffd{4})/;

/** Files that an option makes Node.js load before a script: `node -r ./x run.js`. */
async function loadedFirst([name = '', ...words]: readonly string[], directory: string): Promise<string[]> {
  if (!RUNS_NODE.test(name)) return [];
  const found: string[] = [];
  for (const [at, word] of words.entries()) {
    const [option = '', joined] = word.split(/=(.*)/s);
    if (!NODE_LOADS.test(option)) continue;
    const value = joined ?? words[at + 1] ?? '';
    for (const file of NODE_FILES.map((ending) => from(directory, `${value}${ending}`)))
      if ((await readText(file)) !== null && !found.includes(file)) found.push(file);
  }
  return found;
}

/** Maximum bytes of a file that is read. */
export const MAX_SCRIPT_BYTES = 1024 * 1024;

/** The beginning of a regular file, with links followed, since that is the code that runs. Null if there is none. */
async function readText(path: string): Promise<string | null> {
  const read = await readRegularText(path, { root: null, maxBytes: MAX_SCRIPT_BYTES, cut: true });
  return isRefused(read) ? null : read.text;
}

const isFile = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => null))?.isFile() === true;

const from = (directory: string, path: string) =>
  isAbsolute(path) ? path : `${directory === '/' ? '' : directory}/${path.replace(/^(\.\/+)+/, '')}`;

const shorten = (text: string) =>
  text.length > MAX_PREVIEW_LENGTH ? `${text.slice(0, MAX_PREVIEW_LENGTH)}\n…` : text;

async function packageScripts(run: PackageRun, directory: string): Promise<ScriptBehind[]> {
  const base = run.directory === '.' ? directory : from(directory, run.directory);
  const path = await packageFile(run.workspace === undefined ? base : from(base, run.workspace));
  const text = path === null ? null : await readText(path);
  if (path === null || text === null) return [];
  const scripts = scriptsOf(text);
  const lines = run.names.flatMap((name) => {
    const line = Object.hasOwn(scripts, name) ? scripts[name] : undefined;
    return typeof line === 'string' ? [line] : [];
  });
  return [{ paths: [path], text: lines.join('\n') }];
}

/** The nearest package.json, in the folder or above it. */
async function packageFile(folder: string): Promise<string | null> {
  for (let at = folder; ; at = dirname(at)) {
    const path = at === '/' ? '/package.json' : `${at}/package.json`;
    if (await isFile(path)) return path;
    if (dirname(at) === at) return null;
  }
}

function scriptsOf(text: string): Record<string, unknown> {
  // The card does not predict npm's error for an unreadable file.
  const read = parseJson(text, { maxBytes: MAX_SCRIPT_BYTES, maxDepth: MAX_SCRIPT_BYTES });
  const whole = 'value' in read ? read.value : null;
  const scripts = whole !== null && typeof whole === 'object' && 'scripts' in whole ? whole.scripts : null;
  return typeof scripts === 'object' && scripts !== null ? { ...scripts } : {};
}

const RUNS_NODE = /^(node|nodejs|bun|tsx|ts-node(-esm)?)$/;
const NODE_FILES = ['', '.js', '.mjs', '.cjs', '.ts', '/index.js'];

/** Files that a command may run, by name. Of each list, the first existing one counts. */
function filesNamed(written: readonly string[]): string[][] {
  const [name = '', ...rest] = written;
  if (/^(g?make|just|rake)$/.test(name)) return [buildFiles(name, rest)];
  if (!isInterpreter(name)) return [optionFiles(name, rest)];
  const module = rest.indexOf('-m');
  if (/^python/.test(name) && module !== -1) {
    const path = (rest[module + 1] ?? '').replaceAll('.', '/');
    return path === '' ? [] : [[`${path}.py`, `${path}/__main__.py`]];
  }
  const words = /^(deno|bun)$/.test(name) && rest[0] === 'run' ? rest.slice(1) : rest;
  const isNode = RUNS_NODE.test(name);
  return scriptWords(name, words).map((file) =>
    isNode ? NODE_FILES.map((ending) => `${file}${ending}`) : [file],
  );
}

/** `awk -f x`, `sed -f x`. */
function optionFiles(name: string, words: readonly string[]): string[] {
  if (!/^([gmn]?awk|g?sed|jq)$/.test(name)) return [];
  const at = words.findIndex((word) => /^(-f|--file|--from-file)$/.test(word));
  return at === -1 ? [] : words.slice(at + 1, at + 2);
}

const BUILD_FILES: Readonly<Record<string, readonly string[]>> = {
  just: ['justfile', 'Justfile', '.justfile'],
  rake: ['Rakefile', 'rakefile', 'Rakefile.rb'],
};

function buildFiles(name: string, words: readonly string[]): string[] {
  let directory = '.';
  const named: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    const joined = /^(-[Cf]|--(?:directory|file|makefile|justfile|working-directory)=)(.+)$/.exec(word);
    const option = joined?.[1]?.replace('=', '') ?? word;
    const value = () => joined?.[2] ?? words[++at] ?? '.';
    if (/^(-C|--directory|--working-directory|-d)$/.test(option)) directory = from(directory, value());
    else if (/^(-f|--file|--makefile|--justfile)$/.test(option)) named.push(value());
  }
  const usual = BUILD_FILES[name] ?? ['GNUmakefile', 'makefile', 'Makefile'];
  return (named.length > 0 ? named : usual).map((file) => from(directory, file));
}
