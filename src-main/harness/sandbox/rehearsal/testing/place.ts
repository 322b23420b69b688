import { execFileSync, spawn } from 'node:child_process';
import { chownSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { bundle as bundleProgram } from '../../../../base/testing/bundle';
import {
  bubblewrap,
  folderForTest,
  giveToNobody,
  removeTestFolder,
  whySkipped,
} from '../../testing/bubblewrap';
import { canRehearse, type KeepResult, type RehearsalRun, type RehearseOptions, rehearse } from '../index';
import { folderIn, optionsFor, shell } from './options';

/** Null if a trial shows that commands can be rehearsed; else why these tests are skipped. */
export const whyNoRehearsal: string | null = whySkipped ?? (await tried());
export const note = whyNoRehearsal === null ? '' : ` (skipped: ${whyNoRehearsal})`;

async function tried(): Promise<string | null> {
  const base = makeBase();
  try {
    const found = await canRehearse(folderIn(base), join(base, 'data/layers'), bubblewrap);
    return found.available ? null : `${found.reason}: ${found.detail ?? ''}`;
  } finally {
    removeTestFolder(base);
  }
}

/** Its name contains characters with a meaning in mount options. */
export function makeBase(at = folderForTest()): string {
  for (const path of ['data', 'outside']) mkdirSync(join(at, path), { recursive: true });
  mkdirSync(folderIn(at), { recursive: true });
  return at;
}

export function writeIn(folder: string, files: Record<string, string>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
}

let count = 0;
const nextLayer = (): string => `layer-${process.pid}-${count++}`;

export interface Rehearsal extends Partial<Pick<RehearseOptions, 'limits' | 'signal' | 'overtime'>> {
  folder?: string;
  as?: 'nobody';
  /** With `as`: files that belong to root, and to that user's group. */
  foreign?: readonly string[];
  layer?: string;
}

/** Rehearses a bash command in the folder of a place. */
export function rehearsed(base: string, command: string, options: Rehearsal = {}): Promise<RehearsalRun> {
  const { folder, as, foreign, layer = nextLayer(), ...more } = options;
  if (as === 'nobody') return asNobody(base, layer, command, more.limits, foreign);
  const own = optionsFor(base, bubblewrap, folder);
  return rehearse({ ...own, ...more, layer, run: shell(base, command, folder) });
}

/** Runs the child after shell commands in a new mount namespace; only root may mount. */
export async function inNamespace(setUp: string, base: string, ...args: string[]): Promise<unknown> {
  const script = `${setUp}\nexec "$@"`;
  const own = [process.execPath, await childProgram(), ...args];
  const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', BASE: base };
  const child = spawn('unshare', ['--mount', 'bash', '-ec', script, 'bash', ...own], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (out === '') throw new Error(err);
  return JSON.parse(out);
}

async function asNobody(
  base: string,
  layer: string,
  command: string,
  limits: Rehearsal['limits'] = {},
  foreign: readonly string[] = [],
): Promise<RehearsalRun> {
  giveToNobody(base);
  for (const path of foreign) chownSync(path, 0, 65534);
  const args = ['rehearse', base, layer, bubblewrap.program, command, JSON.stringify(limits)];
  return JSON.parse(await childAsNobody(args)) as RehearsalRun;
}

/** Keeps all changes of that user's layer. */
export async function keptAsNobody(base: string, layer: string): Promise<KeepResult> {
  const [, result = ''] = (await childAsNobody(['keep', base, layer])).split('\n');
  return JSON.parse(result) as KeepResult;
}

async function childAsNobody(args: readonly string[]): Promise<string> {
  const program = await childProgram();
  const user = ['--reuid', '65534', '--regid', '65534', '--clear-groups', process.execPath];
  const child = spawn('setpriv', [...user, program, ...args], { env: {}, stdio: ['ignore', 'pipe', 'pipe'] });
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (err !== '') throw new Error(err);
  return out;
}

let bundled: Promise<string> | null = null;
let bundleFolder = '';

/** `child.ts` as one file that every user can read. */
export function childProgram(): Promise<string> {
  bundled ??= bundle();
  return bundled;
}

async function bundle(): Promise<string> {
  bundleFolder = folderForTest();
  await bundleProgram({
    build: { ssr: join(import.meta.dirname, 'child.ts'), outDir: bundleFolder, target: 'node20' },
    ssr: { noExternal: true },
  });
  execFileSync('chmod', ['-R', 'a+rX', bundleFolder]);
  writeFileSync(join(bundleFolder, 'package.json'), '{"type":"module"}');
  return join(bundleFolder, 'child.js');
}

/** Call after the tests of a file. */
export function removeBundle(): void {
  if (bundled !== null) rmSync(bundleFolder, { recursive: true, force: true });
  bundled = null;
}

/** Everything in a folder: types, modes, contents, link targets. */
export const stateOf = (at: string): string =>
  execFileSync(
    'bash',
    [
      '--norc',
      '-c',
      'find . -printf "%P %y %m %l\\n" | sort; find . -type f -print0 | sort -z | xargs -0 sha256sum',
    ],
    {
      cwd: at,
      encoding: 'utf8',
    },
  );

/** Changes of every kind, for Bash. */
export const MUCH =
  'set -e; echo more >> src/a.txt; rm src/b.txt; chmod 755 c.txt; ln -s a.txt src/link; mkdir -p new/er; echo x > new/er/f; rm -r deep; echo f > deep; touch -d 2001-01-01 new/er/f; mkdir closed; echo x > closed/x; chmod 500 closed; printf "\\0\\1" > binary; touch "$(printf "odd\\xff")"';
