import { execFileSync, spawn } from 'node:child_process';
import { accessSync, constants, existsSync, mkdtempSync, readFileSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { capability } from '../../../../scripts/runtime/capabilities.mjs';
import { detectSandbox, type SandboxFound } from '../detect';

const found = await detectSandbox();

const tried = await capability('commandSandbox');
/** Null where the tests can use bubblewrap, which is tried here and not asked of the app; else why they are skipped. */
export const whySkipped: string | null =
  process.platform === 'linux' ? tried.reason : 'This system has another sandbox.';
/** What follows the name of tests that need bubblewrap. */
export const skippedNote = whySkipped === null ? '' : ` (skipped: ${whySkipped})`;
if (whySkipped === null && found.kind !== 'bubblewrap')
  throw new Error(`bubblewrap works here, but the app does not find it: ${JSON.stringify(found)}`);

export const bubblewrap = found as Extract<SandboxFound, { kind: 'bubblewrap' }>;

/** Whether another user can be taken on for a test. */
export const mayBeNobody = process.getuid?.() === 0 && isMapped(65534);

/** Whether a user exists in the namespace of this process. */
function isMapped(id: number): boolean {
  const ranges = existsSync('/proc/self/uid_map') ? readFileSync('/proc/self/uid_map', 'utf8') : '';
  return ranges.split('\n').some((line) => {
    const [first = Number.NaN, , count = 0] = line.trim().split(/\s+/).map(Number);
    return id >= first && id < first + count;
  });
}

/** Makes a folder and all in it that user's, who then finds it wherever it lies. */
export const giveToNobody = (path: string): void => {
  execFileSync('chown', ['-R', '65534:65534', path]);
};

/** A folder for a test that is not below /tmp, which commands in the sandbox find as one of their own. */
export function folderForTest(): string {
  const place = ['/srv', '/opt', homedir()].find((path) => {
    try {
      accessSync(path, constants.W_OK);
      return true;
    } catch {
      // The next one.
      return false;
    }
  });
  return realpathSync(mkdtempSync(join(place ?? homedir(), 'deepdesk-box-')));
}

/** Runs a program as it is, with an environment of its own. Output of both kinds in one text, errors last. */
export async function runProgram(
  { file, args }: { file: string; args: string[] },
  options: { as?: 'nobody' } = {},
): Promise<{ output: string; exitCode: number | null }> {
  const user = ['--reuid', '65534', '--regid', '65534', '--clear-groups'];
  const [program, words] = options.as === undefined ? [file, args] : ['setpriv', [...user, file, ...args]];
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C.UTF-8' };
  // Without input: bash takes a socket there for a login from afar and reads the person's start-up file.
  const child = spawn(program, words, { env, timeout: 20_000, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number | null>((resolve, reject) =>
    child.once('close', resolve).once('error', reject),
  );
  const [out, err, exitCode] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { output: out + err, exitCode };
}
