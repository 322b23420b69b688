import { dirname, posix } from 'node:path';
import { parseJson, parseYaml } from '../../../base/limited-json';
import { optional } from '../../../contract/shared/optional';
import { mayDo, subcommandOf } from '../parsing/subcommands';
import { from, isFile, MAX_SCRIPT_BYTES, readText } from './script-file';

/** The scripts of a package.json that a command runs. */
export interface PackageRun {
  /** The folder that it searches first, relative to the command's directory; `.` unless an option names another. */
  directory: string;
  /** Script names in execution order. */
  names: string[];
  /** The workspace, by name or path. */
  workspace?: string;
}

const INSTALL = ['preinstall', 'install', 'postinstall', 'preprepare', 'prepare', 'postprepare'];
const around = (name: string) => [`pre${name}`, name, `post${name}`];

/** Options of any package manager with a value in the next word. */
const WITH_VALUE =
  /^(--(loglevel|registry|userconfig|globalconfig|cache|tag|omit|include|script-shell|node-options|depth|otp|access|filter|reporter|network-timeout|modules-folder|cache-folder|mutex|config|shell-emulator|workspace-concurrency)|-L|-F)$/;
const DIRECTORY = /^(-C|--(prefix|prefi|dir|cwd))$/;

/** The scripts of a package.json that `words` run; null if they run none. */
export function packageRun(words: readonly string[]): PackageRun | null {
  const [program = '', ...rest] = words;
  const name = program.split('/').at(-1) ?? '';
  if (name === 'node') return nodeRun(rest);
  if (!/^(npm|pnpm|yarn|bun)$/.test(name)) return null;
  let directory = '.';
  let workspace: string | undefined;
  const plain: string[] = [];
  for (let at = 0; at < rest.length; at++) {
    const word = rest[at] ?? '';
    if (word === '--') break;
    const [option = '', value] = splitOption(word);
    if (DIRECTORY.test(option)) directory = value ?? rest[++at] ?? '.';
    else if (option === '-w' || /^--works(p|pa|pac|pace)?$/.test(option)) workspace = value ?? rest[++at];
    else if (!word.startsWith('-')) plain.push(word);
    else if (value === undefined && WITH_VALUE.test(word)) at++;
  }
  const names = scriptNames(name, plain);
  return names === null ? null : { directory, names, ...optional({ workspace }) };
}

const splitOption = (word: string): [string, string?] => {
  const equals = word.indexOf('=');
  return word.startsWith('--') && equals !== -1 ? [word.slice(0, equals), word.slice(equals + 1)] : [word];
};

function scriptNames(program: string, [verb = '', named]: readonly string[]): string[] | null {
  if (program === 'bun') return verb === 'run' && named !== undefined ? around(named) : null;
  const command = subcommandOf(program, verb);
  if (command === 'run') return named === undefined ? null : around(named);
  if (program !== 'npm') {
    if (verb === '') return program === 'yarn' ? INSTALL : null;
    if (command === 'install-test') return [...INSTALL, ...around('test')];
    if (mayDo(program, verb, 'install')) return INSTALL;
    // Any other word may be a script name.
    return around(command === 'test' ? 'test' : verb);
  }
  switch (command) {
    case 'install':
    case 'ci':
    case 'rebuild':
      return INSTALL;
    case 'install-test':
    case 'install-ci-test':
      return [...INSTALL, ...around('test')];
    case 'restart':
      return [...around('restart'), ...around('stop'), ...around('start')];
    case 'publish':
      return ['prepublishOnly', 'prepack', 'prepare', 'postpack', 'publish', 'postpublish'];
    case 'pack':
      return ['prepack', 'prepare', 'postpack'];
    case 'test':
    case 'start':
    case 'stop':
    case 'version':
      return around(command);
    default:
      return null;
  }
}

/** `node --run name` runs that one script. */
function nodeRun(words: readonly string[]): PackageRun | null {
  const at = words.findIndex((word) => /^--run(=|$)/.test(word));
  if (at === -1) return null;
  const name = splitOption(words[at] ?? '')[1] ?? words[at + 1];
  return name === undefined ? null : { directory: '.', names: [name] };
}

/** The package.json that `name` reads, and the lines of its scripts that it runs. */
export async function packageScripts(
  name: string,
  run: PackageRun,
  directory: string,
): Promise<{ paths: string[]; text: string }[]> {
  const base = run.directory === '.' ? directory : from(directory, run.directory);
  const path = await packageFile(name, run.workspace === undefined ? base : from(base, run.workspace));
  const text = path === null ? null : await readText(path);
  if (path === null || text === null) return [];
  const scripts = await scriptsOf(text);
  const lines = run.names.flatMap((script) => {
    const line = Object.hasOwn(scripts, script) ? scripts[script] : undefined;
    return typeof line === 'string' ? [line] : [];
  });
  return [{ paths: [path], text: lines.join('\n') }];
}

/** Its names, of which only pnpm knows all. */
const MANIFESTS = ['package.json', 'package.json5', 'package.yaml'];

export const isManifest = (path: string): boolean => MANIFESTS.includes(posix.basename(path));

/** The nearest package.json, in the folder or above it. */
async function packageFile(name: string, folder: string): Promise<string | null> {
  for (let at = folder; ; at = dirname(at)) {
    for (const file of name === 'pnpm' ? MANIFESTS : MANIFESTS.slice(0, 1)) {
      const path = from(at, file);
      if (await isFile(path)) return path;
    }
    if (dirname(at) === at) return null;
  }
}

async function scriptsOf(text: string): Promise<Record<string, unknown>> {
  // The card does not predict npm's error for an unreadable file.
  const limits = { maxBytes: MAX_SCRIPT_BYTES, maxDepth: MAX_SCRIPT_BYTES };
  const json = parseJson(text, limits);
  const read = 'value' in json ? json : await parseYaml(text, { maxBytes: MAX_SCRIPT_BYTES });
  const whole = 'value' in read ? read.value : null;
  const scripts = whole !== null && typeof whole === 'object' && 'scripts' in whole ? whole.scripts : null;
  return typeof scripts === 'object' && scripts !== null ? { ...scripts } : {};
}
