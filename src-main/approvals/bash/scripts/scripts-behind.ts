import { dirname, posix } from 'node:path';
import { isBelow } from '../../../base/is-below';
import { optional } from '../../../contract/shared/optional';
import { commandsIn } from '../commands/walk';
import { isInterpreter, scriptWords } from '../parsing/interpreters';
import { innerStarts, sameCommand } from '../parsing/subcommands';
import type { ShellPlaces } from '../paths/places';
import { reasonFor } from '../verdict/reasons';
import type { ShellPart } from '../verdict/shell-part';
import { addLoaded, foldersUpTo } from './loaded-files';
import { loadedFirst, moduleFolders, NODE_FILES, RUNS_NODE } from './loaded-first';
import { packagePrograms } from './local-modules';
import { isManifest, packageRun, packageScripts } from './package-scripts';
import { matching, pickedFiles } from './picked-files';
import { from, isFile, readText } from './script-file';

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

interface Command
  extends Pick<ShellPart, 'written' | 'named' | 'input' | 'directory' | 'hides' | 'alsoRuns' | 'isOpen'> {
  /** The folder of the script that contains it. */
  beside?: string;
  /** It is a script that an unknown program runs or only reads, as `eslint x.js` does. */
  isInput?: true;
}

/** Maximum depth of scripts that run scripts. */
const MAX_DEPTH = 4;
/** Maximum files of one line. */
const MAX_FILES = 200;
/** Maximum words of a command that may begin another one. */
const MAX_STARTS = 20;
/** Maximum UTF-16 units of all scripts of one line that are searched for the commands that these run. */
const MAX_SEARCHED = 100_000;
/** Maximum commands among the words of others that are looked up for one line. */
const MAX_OTHERS = 500;
/** Maximum UTF-16 units of a file on the card. */
const MAX_PREVIEW_LENGTH = 8_000;

/**
 * The files besides programs that the commands of a line run: the package.json of `npm test`, the Makefile of `make`, `x.sh`
 * of `bash x.sh`, `./x`, the files that these name in turn, modules in the folder that a script loads, programs in
 * `node_modules/.bin` that a package.json script or `npx` starts, and scripts that a pattern or `find` picks. Returns absolute
 * paths of existing files, each once, in the order in which they are reached. The person's answer about the line is bound to
 * their contents.
 */
export async function filesBehind(
  parts: readonly Command[],
  places: ShellPlaces,
): Promise<{ path: string }[]> {
  const found: Found = { files: new Set(), texts: new Set(), left: MAX_SEARCHED, others: MAX_OTHERS };
  await collect(parts, places, found, 0);
  for (const path of await pickedFiles(parts, places)) {
    if (found.files.size >= MAX_FILES) break;
    const text = await readText(path);
    if (text !== null && !PROGRAM.test(text))
      await collectScript({}, { paths: [path], text: '', whole: text }, places, found, 1);
    found.files.add(path);
  }
  return [...found.files].map((path) => ({ path }));
}

interface Found {
  files: Set<string>;
  /** Texts read so far, since one package.json has many scripts. */
  texts: Set<string>;
  /** UTF-16 units of scripts that are still searched for commands. */
  left: number;
  /** Commands that may be among the words of others and are still looked up. */
  others: number;
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
    const others = [
      ...mayRun(part, places),
      ...alsoRuns(part, places),
      ...(isPackage ? otherScripts(part) : []),
    ].slice(0, found.others);
    found.others -= others.length;
    for (const one of [part, ...others])
      for (const script of await scriptsBehind(one, places))
        await collectScript(one, script, places, found, depth);
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
  if (part.isInput !== true)
    await addLoaded(script.paths, places.folder, found.files, {
      max: MAX_FILES,
      folders: moduleFolders(part.written ?? [], part.directory ?? places.cwd),
    });
  if (depth >= MAX_DEPTH) return;
  const isPackage = isManifest(first);
  if (!isPackage && !isShellScript(first, script.text)) return;
  const directory = isPackage ? dirname(first) : (part.directory ?? places.cwd);
  const searched = (script.whole ?? script.text).slice(0, found.left);
  found.left -= searched.length;
  const commands = commandsOf(searched, directory, places.home);
  const inside = commands.map((command) => ({ ...command, beside: dirname(first) }));
  await collect(inside, places, found, depth + 1, isPackage);
}

/** The commands that may be among the words of another one: of a runner, and of a program that is unknown. */
function mayRun({ written = [], hides, named: _, ...part }: Command, { cwd, home }: ShellPlaces): Command[] {
  const same = sameCommand(written);
  const ofRunner = [...innerStarts(same)].slice(0, MAX_STARTS).map((at) => same.slice(at));
  const ofAny = written.slice(1, 1 + MAX_STARTS).map((_word, at) => written.slice(at + 1));
  const runs = hides === 'certain' || ofRunner.length > 0;
  return (hides === undefined ? ofRunner : ofAny).flatMap((words): Command[] => {
    const [first = ''] = words;
    if (/\s/.test(first) && part.directory !== null)
      return commandsOf(first, part.directory ?? cwd, home).map((one) => ({
        ...one,
        ...optional({ beside: part.beside }),
      }));
    const command = { ...part, ...commandFrom(words) };
    // `uv run server.py`
    if (SCRIPT_ENDING.test(first))
      return [{ ...command, named: first, ...(runs ? {} : { isInput: true as const }) }];
    return first.includes('/') && /\.[^/]*$/.test(first) ? [] : [command];
  });
}

/** The command with its variables replaced, as far as their values are in the line. */
const alsoRuns = (
  { alsoRuns: texts = [], directory, beside }: Command,
  { cwd, home }: ShellPlaces,
): Command[] =>
  directory === null
    ? []
    : texts.flatMap((text) =>
        commandsOf(text, directory ?? cwd, home).map((one) => ({ ...one, ...optional({ beside }) })),
      );

/** `run-s build test`, `concurrently npm:build`: other scripts of the same package.json. */
const otherScripts = ({ written = [], directory }: Command): Command[] =>
  written
    .slice(1, 1 + MAX_STARTS)
    .map((word) => ({ written: ['pnpm', 'run', word.replace(/^npm:/, '')], ...optional({ directory }) }));

const SCRIPT_ENDING = /\.(sh|bash|zsh|fish|[cm]?[jt]s|py|rb|pl|php|lua)$/;

/** The files that a command names: a shell that reads its output may run them, as in `cat x.sh | sh`. */
async function filesAmong({ written = [], directory }: Command, places: ShellPlaces): Promise<string[]> {
  if (directory === null) return [];
  const paths = written.slice(1, 1 + MAX_FILES).map((word) => from(directory ?? places.cwd, word));
  const found = await Promise.all(paths.map(async (path) => ((await isFile(path)) ? [path] : [])));
  return found.flat();
}

/** The words of a command that may name a package program: all of them in a package.json script. */
function programWords({ written = [] }: Command, isPackage: boolean): readonly string[] {
  if (isPackage) return written;
  const same = sameCommand(written);
  return [...new Set([...innerStarts(same)].map((at) => same[at] ?? ''))];
}

const foldersOf = ({ directory }: Command, places: ShellPlaces): string[] =>
  directory === null ? [] : foldersUpTo(directory ?? places.cwd, places.folder);

/** Files without a known ending are read as shell scripts, and so are the recipes of a Makefile. */
const isShellScript = (path: string, text: string) =>
  /\.(sh|bash)$/.test(path) ||
  /^#!.*\b(sh|bash|dash|zsh|ksh)\b/.test(text) ||
  !(text.startsWith('#!') || OTHER_LANGUAGE.test(path));

const OTHER_LANGUAGE = /\.([cm]?[jt]sx?|py|rb|pl|php|lua|json|toml)$/;

/** The commands of a text, which start in `directory`. */
export const commandsOf = (text: string, directory: string, home: string): Command[] =>
  [...commandsIn(text, { cwd: directory, home })].flatMap((found) => {
    const { name, first, rest, redirects, inputFrom, runsUnknown, alsoRuns: filled } = found;
    if (first === undefined) return [];
    const input = redirects.flatMap(({ operator, target }) =>
      operator === '<' && target !== null ? [target.value] : [],
    );
    return [
      {
        ...commandFrom([first.value, ...rest.map(({ value }) => value)]),
        ...(input.length > 0 || inputFrom.length > 0 ? { input } : {}),
        ...optional({ hides: runsUnknown ? 'certain' : reasonFor(name, rest).isUnknown && 'possible' }),
        ...(filled.length > 0 ? { alsoRuns: filled } : {}),
        directory: found.directory,
      },
    ];
  });

const commandFrom = ([first = '', ...rest]: readonly string[]): Pick<Command, 'written' | 'named'> => ({
  written: [posix.basename(first), ...rest],
  ...(first.includes('/') ? { named: first } : {}),
});

/** What the card shows of the files that one command runs; null if there is nothing to show. */
export async function scriptBehind(part: Command, places: ShellPlaces): Promise<ScriptBehind | null> {
  const all = part.hides === 'certain' ? [part, ...mayRun(part, places)] : [part];
  const found = await Promise.all(all.map((one) => scriptsBehind(one, places)));
  const scripts = found.flat().filter(({ text }) => text !== '');
  if (scripts.length === 0) return null;
  return { paths: scripts.flatMap(({ paths }) => paths), text: scripts.map(({ text }) => text).join('\n') };
}

/** The files that one command runs; none if its directory is unknown. */
async function scriptsBehind(part: Command, places: ShellPlaces): Promise<Script[]> {
  const { written, named, input = [] } = part;
  if (written === undefined) return [];
  const folders = startsOf(part, places);
  const [name = ''] = written;
  const run = packageRun(written);
  const found: Script[] = [];
  if (run !== null) {
    for (const folder of folders) found.push(...(await packageScripts(name, run, folder)));
    // `bun run` also runs a file.
    if (name !== 'bun') return found;
  }
  // What a shell and the like read as their input runs, too.
  const typed = isInterpreter(name) ? input.map((file) => [file]) : [];
  for (const candidates of [...(named === undefined ? [] : [[named]]), ...filesNamed(written), ...typed]) {
    const script = await firstScript(candidates, part, folders, places);
    if (script !== null) found.push(script);
    else found.push(...(await patternScripts(candidates, part, folders, places)));
  }
  const first = (
    await Promise.all(folders.map((folder) => loadedFirst(written, folder, places.folder)))
  ).flat();
  if (first.length > 0) found.push({ paths: [...new Set(first)], text: '' });
  return found;
}

/** The folders that a relative name of a command may mean. In a script after `cd "$DIR"`, these are only likely. */
function startsOf({ directory, beside }: Command, { cwd, folder }: ShellPlaces): string[] {
  if (directory !== null) return [directory ?? cwd];
  return beside === undefined ? [] : [...new Set([...foldersUpTo(beside, folder), cwd])];
}

/** The first of these names that is a file. */
async function firstScript(
  names: readonly string[],
  part: Command,
  folders: readonly string[],
  places: ShellPlaces,
): Promise<Script | null> {
  for (const path of names.flatMap((name) => placesOf(name, part, folders, places))) {
    const text = await readText(path);
    if (text === null) continue;
    const isProgram = PROGRAM.test(text);
    // The agent cannot change a program outside the folder, such as /usr/bin/env.
    if (isProgram && !isBelow(path, places.folder)) return null;
    return isProgram ? { paths: [path], text: '' } : { paths: [path], text: shorten(text), whole: text };
  }
  return null;
}

/** The scripts that a pattern stands for, such as `scripts/*.sh`. A loop runs each of them. */
async function patternScripts(
  names: readonly string[],
  part: Command,
  folders: readonly string[],
  places: ShellPlaces,
): Promise<Script[]> {
  const found: Script[] = [];
  for (const path of names.flatMap((name) => placesOf(name, part, folders, places)))
    for (const one of await matching(path)) {
      const script = found.length < MAX_FILES ? await firstScript([one], part, folders, places) : null;
      if (script !== null) found.push(script);
    }
  return found;
}

/** `$PWD/x.sh`, and in a script also `"$(dirname "$0")/x.sh"`. */
function placesOf(
  name: string,
  part: Command,
  folders: readonly string[],
  { cwd, folder }: ShellPlaces,
): string[] {
  const here = name.replace(/^(\$PWD|\$\{PWD\}|\$\(pwd\)|`pwd`)\//, './');
  if (!/^[$`]/.test(here)) return folders.map((one) => from(one, here));
  const [, rest] = /\/([\w.-]{1,255}(?:\/[\w.-]{1,255}){0,50})$/.exec(here) ?? [];
  if (part.beside === undefined || rest === undefined) return [];
  return [...new Set([...foldersUpTo(part.beside, folder), ...folders, cwd])].map((one) => from(one, rest));
}

/** The beginning of a binary program for Linux, Windows or macOS, decoded as text. It has nothing to show. */
const PROGRAM = /^(\x7fELF|MZ|\ufffd{4})/;

const shorten = (text: string) =>
  text.length > MAX_PREVIEW_LENGTH ? `${text.slice(0, MAX_PREVIEW_LENGTH)}\n…` : text;

/** Files that a command may run, by name. Of each list, the first existing one counts. */
function filesNamed(written: readonly string[]): string[][] {
  const [name = '', ...rest] = written;
  if (Object.hasOwn(BUILD_FILES, name)) return [buildFiles(name, rest)];
  if (name === 'deno' && rest[0] === 'task') return [['deno.json', 'deno.jsonc', 'package.json']];
  if (!isInterpreter(name)) return [optionFiles(name, rest)];
  const module = rest.indexOf('-m');
  if (/^python/.test(name) && module !== -1) {
    const path = (rest[module + 1] ?? '').replaceAll('.', '/');
    return path === '' ? [] : [[`${path}.py`, `${path}/__main__.py`]];
  }
  const verb = rest.findIndex((word) => !word.startsWith('-'));
  const words = /^(deno|bun)$/.test(name) && rest[verb] === 'run' ? rest.toSpliced(verb, 1) : rest;
  const isNode = RUNS_NODE.test(name);
  return scriptWords(name, words).map((file) =>
    isNode ? NODE_FILES.map((ending) => `${file}${ending}`) : [file],
  );
}

/** `awk -f x`, `sed -f x`. */
function optionFiles(name: string, words: readonly string[]): string[] {
  if (!/^([gmn]?awk|[gs]?sed|jq)$/.test(name)) return [];
  return words.flatMap((word, at) => {
    const [, joined] = /^(?:-[nErsuzi]*f|--(?:from-)?file=)(.+)$/s.exec(word) ?? [];
    if (joined !== undefined) return [joined];
    return /^(-[nErsuzi]*f|--(from-)?file)$/.test(word) ? words.slice(at + 1, at + 2) : [];
  });
}

const MAKEFILES = ['GNUmakefile', 'makefile', 'Makefile'];
const BUILD_FILES: Readonly<Record<string, readonly string[]>> = {
  make: MAKEFILES,
  gmake: MAKEFILES,
  just: ['justfile', 'Justfile', '.justfile'],
  rake: ['Rakefile', 'rakefile', 'Rakefile.rb'],
  task: ['Taskfile.yml', 'taskfile.yml', 'Taskfile.yaml', 'taskfile.yaml'],
  invoke: ['tasks.py'],
  inv: ['tasks.py'],
  nox: ['noxfile.py'],
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
  const usual = BUILD_FILES[name] ?? [];
  return (named.length > 0 ? named : usual).map((file) => from(directory, file));
}
