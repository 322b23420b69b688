import { realpath } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import { isBelow } from '../../base/is-below';
import { inFolder } from '../server-target';
import type { ServerConfig } from './config';
import { expand } from './variables';

/** A program with its variables filled in. */
export interface Program {
  command: string;
  args: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>>;
}

/** A file with a version of its content. */
export interface ProgramFile {
  /** Relative to the folder; absolute for a server of the person. */
  path: string;
  version: string;
}

/** Finds the files of a folder that a program runs or is given. Null: it cannot look up all of them. */
export type FilesOfProgram = (program: Program, folder: string) => Promise<ProgramFile[] | null>;

/** What is needed to find the files that servers run. */
export interface ProgramPlaces {
  env: Readonly<Record<string, string | undefined>>;
  filesOfProgram: FilesOfProgram;
  /** The folders of all projects. */
  projectFolders: () => readonly string[];
  /** Working directory of the person's servers. */
  home: string;
}

/** Between words in options, lists, shell text and code. */
const SEPARATORS = /[\s=:,;'"`()<>|&]+/;

/** Everything in a program's words and variables that may name a file. */
export const wordsOf = ({ command, args, env }: Program): string[] => [
  ...new Set([command, ...args, ...Object.values(env)].flatMap((text) => [text, ...text.split(SEPARATORS)])),
];

/**
 * The files of the folder that a server's program runs, which the agent may be able to change. Empty for web addresses;
 * null if they cannot all be found.
 */
export async function filesRunBy(
  config: ServerConfig,
  folder: string,
  { env, filesOfProgram }: Pick<ProgramPlaces, 'env' | 'filesOfProgram'>,
): Promise<ProgramFile[] | null> {
  return config.transport === 'stdio' ? filesOfProgram(programOf(config, folder, env), folder) : [];
}

/** What servers usually store, as in `--db-path data.db`: a server that writes its own data must not stop because of it. */
const DATA =
  /(?<!(?:^|\/)package)\.(json|jsonl|ndjson|db|db3|sqlite3?|duckdb|parquet|csv|tsv|txt|md|log|pid|sock|lock|(db|sqlite3?)-\w+)$/i;

/**
 * The same for a server of the person, in all projects, also if it names them by a link, but without data files. None for a
 * program with too many words, which only the person can have written.
 */
export async function filesInProjects(config: ServerConfig, places: ProgramPlaces): Promise<ProgramFile[]> {
  if (config.transport !== 'stdio') return [];
  const { env, filesOfProgram, home } = places;
  const program = programOf(config, home, env);
  const { command, args, cwd } = program;
  const reals = new Map<string, string>();
  for (const word of wordsOf(program)) {
    const path = await realpath(resolve(cwd, word)).catch(() => null);
    if (path !== null) reals.set(word, path);
  }
  const started = await programInPath(command, env.PATH);
  if (started !== null) reals.set(command, started);
  const found = new Map<string, ProgramFile>();
  for (const folder of places.projectFolders()) {
    const isHere = (word: string) => isBelow(reals.get(word) ?? '/', folder);
    if (!isBelow(cwd, folder) && ![...reals.keys()].some(isHere)) continue;
    const real = (word: string) => (isHere(word) ? (reals.get(word) ?? word) : word);
    const here = { ...program, command: real(command), args: args.map(real) };
    for (const { path, version } of (await filesOfProgram(here, folder)) ?? [])
      if (!DATA.test(path)) found.set(join(folder, path), { path: join(folder, path), version });
  }
  return [...found.values()];
}

function programOf(config: ServerConfig, start: string, env: ProgramPlaces['env']): Program {
  const fillIn = (text: string): string => {
    const expanded = expand(text, env);
    // Without a value for a variable, the server does not start.
    return expanded.ok ? expanded.value : text;
  };
  return {
    command: fillIn(config.command),
    args: config.args.map(fillIn),
    cwd: inFolder(start, fillIn(config.cwd)),
    env: Object.fromEntries(Object.entries(config.secrets).map(([name, text]) => [name, fillIn(text)])),
  };
}

/** The file behind a program that is started by its name, which may be a link into a project. */
async function programInPath(command: string, path = ''): Promise<string | null> {
  if (command.includes('/')) return null;
  for (const folder of path.split(delimiter)) {
    const found = folder === '' ? null : await realpath(join(folder, command)).catch(() => null);
    if (found !== null) return found;
  }
  return null;
}
