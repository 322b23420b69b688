import { homedir } from 'node:os';
import { relative, resolve } from 'node:path';
import { versionOfFile, versionsBehind } from '../../approvals/behind';
import { isBelow } from '../../base/is-below';
import { type FilesOfProgram, wordsOf } from '../../mcp/config/program-files';

/** Words of a program that are looked up as files. A program with more of them does not start. */
const MAX_WORDS = 1_000;

/**
 * The files of a folder that a program runs, as for a command, and all that its arguments and variables name: the agent may
 * be able to change them, and the program runs outside the sandbox. Files elsewhere do not count. Null: it names too many
 * words to look up all of them.
 */
export const filesOfProgramIn =
  (dataDir: string): FilesOfProgram =>
  async (program, folder) => {
    const { command, args, cwd } = program;
    const words = wordsOf(program);
    if (words.length > MAX_WORDS) return null;
    const line = [command, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
    const behind = await versionsBehind(line, { folder, cwd, home: homedir(), dataDir });
    const found = new Map(behind.map(({ path, version }) => [resolve(cwd, path), version]));
    for (const word of words) {
      const path = resolve(cwd, word.replace(/^file:\/\//, ''));
      if (found.has(path) || !isBelow(path, folder)) continue;
      const version = await versionOfFile(path);
      if (version !== null) found.set(path, version);
    }
    return [...found]
      .filter(([path]) => isBelow(path, folder))
      .map(([path, version]) => ({ path: relative(folder, path), version }))
      .sort((one, other) => (one.path < other.path ? -1 : 1));
  };
