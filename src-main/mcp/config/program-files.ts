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

/** A file of the folder, relative to it, with a version of its content. */
export interface ProgramFile {
  path: string;
  version: string;
}

/** Finds the files of a folder that a program runs or is given. Null: it cannot look up all of them. */
export type FilesOfProgram = (program: Program, folder: string) => Promise<ProgramFile[] | null>;

/** What is needed to find the files that the servers of a folder run. */
export interface ProgramPlaces {
  env: Readonly<Record<string, string | undefined>>;
  filesOfProgram: FilesOfProgram;
}

/**
 * The files of the folder that a server's program runs, which the agent may be able to change. Empty for web addresses;
 * null if they cannot all be found.
 */
export async function filesRunBy(
  config: ServerConfig,
  folder: string,
  { env, filesOfProgram }: ProgramPlaces,
): Promise<ProgramFile[] | null> {
  if (config.transport !== 'stdio') return [];
  const fillIn = (text: string): string => {
    const expanded = expand(text, env);
    // Without a value for a variable, the server does not start.
    return expanded.ok ? expanded.value : text;
  };
  const program = {
    command: fillIn(config.command),
    args: config.args.map(fillIn),
    cwd: inFolder(folder, fillIn(config.cwd)),
    env: Object.fromEntries(Object.entries(config.secrets).map(([name, text]) => [name, fillIn(text)])),
  };
  return filesOfProgram(program, folder);
}
