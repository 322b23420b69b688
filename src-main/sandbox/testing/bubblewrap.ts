import { spawn } from 'node:child_process';
import { accessSync, constants, mkdtempSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { detectSandbox, type SandboxFound } from '../detect';

const found = await detectSandbox();

/** Null where the tests can really use bubblewrap; else why they are skipped, which their names say. */
export const whySkipped: string | null =
  found.kind === 'bubblewrap'
    ? null
    : found.kind === null
      ? found.reason
      : 'This system has another sandbox.';

export const bubblewrap = found as Extract<SandboxFound, { kind: 'bubblewrap' }>;

/** Whether another user can be taken on for a test. */
export const mayBeNobody = process.getuid?.() === 0;

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
