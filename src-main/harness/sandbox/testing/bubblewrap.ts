import { execFileSync, spawn } from 'node:child_process';
import { accessSync, constants, existsSync, mkdtempSync, readFileSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { capability } from '../../../../scripts/runtime/capabilities.mjs';
import { removeTreeSync } from '../../../base/remove-tree';
import { detectSandbox, type SandboxFound } from '../detect';

const found = await detectSandbox();

const tried = await capability('commandSandbox');
/** Null if the tests can use bubblewrap, which is tried here without the app; else why they are skipped. */
export const whySkipped: string | null =
  process.platform === 'linux' ? tried.reason : 'This system has another sandbox.';
/** Suffix for the names of tests that need bubblewrap. */
export const skippedNote = whySkipped === null ? '' : ` (skipped: ${whySkipped})`;
if (whySkipped === null && found.kind !== 'bubblewrap')
  throw new Error(`bubblewrap works here, but the app does not find it: ${JSON.stringify(found)}`);

export const bubblewrap = found as Extract<SandboxFound, { kind: 'bubblewrap' }>;

/** Whether a test can run as another user. */
export const mayBeNobody = process.getuid?.() === 0 && isMapped(65534);
/** For the titles of tests that need it. */
export const noteOnNobody = mayBeNobody ? '' : ' (skipped: only root can run programs as another user)';
/** For the titles of tests that mount. */
export const noteOnRoot = process.getuid?.() === 0 ? '' : ' (skipped: only root can do this)';

/** Whether a user exists in this process's namespace. */
function isMapped(id: number): boolean {
  const ranges = existsSync('/proc/self/uid_map') ? readFileSync('/proc/self/uid_map', 'utf8') : '';
  return ranges.split('\n').some((line) => {
    const [first = Number.NaN, , count = 0] = line.trim().split(/\s+/).map(Number);
    return id >= first && id < first + count;
  });
}

/** Gives a folder and its contents to that user. */
export const giveToNobody = (path: string): void => {
  execFileSync('chown', ['-R', '65534:65534', path]);
};

/** A test folder outside /tmp, which commands in the sandbox replace with their own. */
export function folderForTest(): string {
  const place = ['/srv', '/opt', homedir()].find((path) => {
    try {
      accessSync(path, constants.W_OK);
      return true;
    } catch {
      // Try the next one.
      return false;
    }
  });
  return realpathSync(mkdtempSync(join(place ?? homedir(), 'deepdesk-box-')));
}

/** Removes a test folder, and what layers and bubblewrap leave in it: folders closed even to their owner. */
export function removeTestFolder(path: string): void {
  removeTreeSync(path);
}

/** Runs a program unconfined, with a separate environment. Returns standard output followed by errors. */
export async function runProgram(
  { file, args }: { file: string; args: string[] },
  options: { as?: 'nobody' } = {},
): Promise<{ output: string; exitCode: number | null }> {
  const user = ['--reuid', '65534', '--regid', '65534', '--clear-groups'];
  const [program, words] = options.as === undefined ? [file, args] : ['setpriv', [...user, file, ...args]];
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C.UTF-8' };
  // No stdin: bash takes a socket there for a remote login and reads the person's startup file.
  const child = spawn(program, words, { env, timeout: 20_000, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((resolve, reject) =>
    child.once('close', resolve).once('error', reject),
  );
  const [out, err, exitCode] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { output: out + err, exitCode };
}
