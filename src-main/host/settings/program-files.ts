import { homedir } from 'node:os';
import { relative, resolve } from 'node:path';
import { versionOfFile, versionsBehind } from '../../approvals/behind';
import { isBelow } from '../../base/is-below';
import type { FilesOfProgram } from '../../mcp/config/program-files';

/** Maximum words of a program that may be files. */
const MAX_WORDS = 200;

/**
 * The files of a folder that a program runs, as for a command, and all that its arguments and variables name: the agent may
 * be able to change them, and the program runs outside the sandbox. Files elsewhere do not count.
 */
export const filesOfProgramIn =
  (dataDir: string): FilesOfProgram =>
  async ({ command, args, cwd, env }, folder) => {
    const line = [command, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
    const behind = await versionsBehind(line, { folder, cwd, home: homedir(), dataDir });
    const found = new Map(behind.map(({ path, version }) => [resolve(cwd, path), version]));
    const words = [command, ...args, ...Object.values(env)].flatMap((word) => [
      word,
      ...word.split(/[\s=:,;]+/),
    ]);
    for (const word of [...new Set(words)].slice(0, MAX_WORDS)) {
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
