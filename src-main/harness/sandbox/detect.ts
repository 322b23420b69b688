import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SandboxState } from '../../contract/shared/sandbox';
import type { SandboxAccess } from '../backends/protocol';
import { type Bridge, findBridge } from './bridge';
import { type Confinement, inBubblewrap } from './bubblewrap';
import { filterFile } from './filter-file';
import { seccompFilter } from './seccomp';
import { systemView } from './system-view';

/** What makes the sandbox tighter, and what older systems lack. */
export type Feature = 'namespaces' | 'seccomp';

export type SandboxFound =
  | {
      kind: 'bubblewrap';
      program: string;
      bridge: Bridge | null;
      /** Features that do not work here, and what the system said to each. */
      lacks?: Partial<Record<Feature, string>>;
    }
  | { kind: 'seatbelt'; program: string }
  | { kind: null; reason: string };

/** Fixed places: what a folder's own PATH brings is no sandbox to rely on. */
const BUBBLEWRAP = [
  '/usr/bin/bwrap',
  '/bin/bwrap',
  '/usr/local/bin/bwrap',
  '/run/current-system/sw/bin/bwrap',
];
const SEATBELT = '/usr/bin/sandbox-exec';
/** Milliseconds for the trial; a system that takes longer is of no use for commands either. */
const TRIAL_WITHIN = 10_000;

/** Looks for the system's sandbox and really runs something in it once. Never rejects. */
export async function detectSandbox(
  options: { platform?: NodeJS.Platform; programs?: readonly string[] } = {},
): Promise<SandboxFound> {
  const { platform = process.platform, programs = platform === 'darwin' ? [SEATBELT] : BUBBLEWRAP } = options;
  const program = programs.find((path) => existsSync(path));
  if (platform === 'linux') {
    if (program === undefined)
      return {
        kind: null,
        reason: 'bubblewrap is not installed. On Debian and Ubuntu: sudo apt install bubblewrap',
      };
    const tried = await tryBubblewrap(program);
    return typeof tried === 'string'
      ? { kind: null, reason: `bubblewrap is installed but cannot be used here: ${tried}` }
      : {
          kind: 'bubblewrap',
          program,
          bridge: findBridge(),
          ...(Object.keys(tried).length === 0 ? {} : { lacks: tried }),
        };
  }
  if (platform === 'darwin') {
    if (program === undefined) return { kind: null, reason: 'This macOS has no sandbox-exec.' };
    const failed = await trial({
      file: program,
      args: ['-p', '(version 1)(allow default)', '/usr/bin/true'],
    });
    return failed === null
      ? { kind: 'seatbelt', program }
      : { kind: null, reason: `sandbox-exec cannot be used here: ${failed}` };
  }
  return { kind: null, reason: 'Deepdesk knows no sandbox for commands on this system.' };
}

/**
 * Runs a command in each profile as it will be used, and leaves out one feature after the other where that fails. Answers with
 * what had to be left out, or with the reason why nothing works.
 */
async function tryBubblewrap(program: string): Promise<Partial<Record<Feature, string>> | string> {
  const base = await mkdtemp(join(await realpath(tmpdir()), 'deepdesk-trial-')).catch(() => null);
  if (base === null) return 'there is no space for temporary files.';
  try {
    const unknown: Partial<Record<Feature, string>> =
      seccompFilter('read-only') === null
        ? { seccomp: `There is no filter of system calls for the processor ${process.arch}.` }
        : {};
    const withAll = await tryProfiles(program, base, unknown);
    if (withAll === null) return unknown;
    // Without either first: where that fails too, neither is the reason.
    const bare = await tryProfiles(program, base, { namespaces: '', seccomp: '' });
    if (bare !== null) return bare;
    const [namespaces, seccomp] = await Promise.all([
      tryProfiles(program, base, { seccomp: '' }),
      unknown.seccomp ?? tryProfiles(program, base, { namespaces: '' }),
    ]);
    if (namespaces === null && seccomp === null) return { namespaces: withAll };
    return { ...(namespaces === null ? {} : { namespaces }), ...(seccomp === null ? {} : { seccomp }) };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await removeTrial(base);
  }
}

/**
 * What bubblewrap made there to mount upon is closed even to its owner, so all of it is opened before any of it is removed: a
 * removal that fails at one place goes on at others meanwhile. Leftovers never make a sandbox unusable.
 */
async function removeTrial(folder: string): Promise<void> {
  await openFolders(folder);
  await rm(folder, { recursive: true, force: true }).catch(() => undefined);
}

async function openFolders(folder: string): Promise<void> {
  await chmod(folder, 0o700).catch(() => undefined);
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const folders = entries.filter((entry) => entry.isDirectory());
  await Promise.all(folders.map(({ name }) => openFolders(join(folder, name))));
}

/** Null where both profiles work. */
async function tryProfiles(
  program: string,
  base: string,
  lacks: Partial<Record<Feature, string>>,
): Promise<string | null> {
  const tried = await Promise.all([
    tryProfile(program, base, 'read-write', lacks),
    tryProfile(program, base, 'read-only', lacks),
  ]);
  return tried.find((failed) => failed !== null) ?? null;
}

async function tryProfile(
  program: string,
  base: string,
  access: SandboxAccess,
  lacks: Partial<Record<Feature, string>>,
): Promise<string | null> {
  const own = await mkdtemp(join(base, 'profile-'));
  const [folder, home, temporary] = [join(own, 'folder'), join(own, 'home'), join(own, 'tmp')];
  await Promise.all(
    [folder, join(folder, 'kept'), home, temporary].map((path) => mkdir(path, { recursive: true })),
  );
  const confinement: Confinement = {
    access,
    folder,
    cwd: folder,
    home,
    homeLink: null,
    temporary,
    writable: [],
    system: await systemView(access, { folder: join(base, 'etc'), gitConfig: '' }),
    toolchains: [],
    commonFolder: null,
    hidden: [{ path: join(folder, 'kept'), kind: 'folder' }],
    pinned: [],
    readOnly: [],
    allowsNamespaces: lacks.namespaces !== undefined,
    filter: lacks.seccomp === undefined ? await filterFile(join(own, 'filters'), access) : null,
    network: null,
  };
  const script = 'echo written > /tmp/probe; ! ls kept && { echo x > probe || :; }';
  const failed = await trial(
    inBubblewrap(program, confinement, { file: '/bin/sh', args: ['-c', `(${script}) 2>/dev/null`] }),
  );
  if (failed !== null) return failed;
  const [probe, outside] = await Promise.all(
    [join(temporary, 'probe'), join(folder, 'probe')].map((path) => readFile(path, 'utf8').catch(() => null)),
  );
  if (probe === null) return 'a command in it could not write to its own /tmp.';
  return (outside !== null) === (access === 'read-write')
    ? null
    : 'a command in it was not confined as it should be.';
}

export function stateOf(found: SandboxFound): SandboxState {
  if (found.kind === null) return { kind: null, reason: found.reason, noHosts: found.reason };
  const noHosts =
    found.kind === 'seatbelt'
      ? 'On macOS the sandbox has no network at all.'
      : found.bridge === null
        ? 'Neither perl nor python3 is installed, so the sandbox has no network at all.'
        : null;
  const lacking = found.kind === 'bubblewrap' ? lackingOf(found.lacks ?? {}) : [];
  return { kind: found.kind, reason: null, noHosts, ...(lacking.length === 0 ? {} : { lacking }) };
}

const lackingOf = ({ namespaces, seccomp }: Partial<Record<Feature, string>>): string[] => [
  ...(namespaces === undefined
    ? []
    : [
        `Commands in the sandbox may make namespaces of their own, which bubblewrap 0.8 could forbid: ${namespaces}`,
      ]),
  ...(seccomp === undefined ? [] : [`System calls in the sandbox are not filtered: ${seccomp}`]),
];

/** Null where it ran; else the reason, on one line. */
const trial = ({ file, args }: { file: string; args: readonly string[] }): Promise<string | null> =>
  new Promise((resolve) => {
    execFile(file, args, { timeout: TRIAL_WITHIN, env: {} }, (error, _stdout, stderr) => {
      if (error === null) resolve(null);
      else resolve(stderr.trim().split('\n')[0] || error.message);
    });
  });
