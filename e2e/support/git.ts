import { execFileSync } from 'node:child_process';

/** Runs git like a person in their own terminal, whoever owns the folder. */
export const git = (folder: string, ...args: string[]) =>
  execFileSync(
    'git',
    ['-c', 'safe.directory=*', '-c', 'user.name=Ann', '-c', 'user.email=ann@example.com', ...args],
    {
      cwd: folder,
      encoding: 'utf8',
    },
  );
