// Direct implementations that several cases compare with.
import { type ChildProcess, spawn } from 'node:child_process';
import { rgPath } from '@vscode/ripgrep';

export const ended = (child: ChildProcess) =>
  new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => resolve());
  });

/** The app's search rules: ignore files of the folder apply, those of the machine do not. */
const RULES = ['--no-config', '--no-messages', '--color=never', '--no-require-git', '--no-ignore-global'];

/** Runs ripgrep until it exits or has printed `most` lines, and counts the lines. */
export async function ripgrep(args: string[], cwd: string, most = Number.POSITIVE_INFINITY): Promise<number> {
  const child = spawn(rgPath, [...RULES, ...args], { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  let seen = 0;
  child.stdout.on('data', (block: Buffer) => {
    if (seen >= most) return;
    for (let at = block.indexOf(10); at !== -1; at = block.indexOf(10, at + 1)) seen += 1;
    if (seen >= most) child.kill();
  });
  await ended(child);
  return Math.min(seen, most);
}

export const GREP = ['--line-number', '--with-filename', '--fixed-strings'];
