import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { because, type Reason } from '../../contract/shared/reasons';
import type { SandboxState } from '../../contract/shared/sandbox';
import type { SandboxAccess } from '../backends/commands';
import { type Bridge, findBridge } from './bridge';
import { type Confinement, inBubblewrap } from './bubblewrap';
import { filterFile } from './filter-file';
import { seccompFilter } from './seccomp';
import { systemView } from './system-view';

/** Features that make the sandbox stricter but that older systems lack. */
export type Feature = 'namespaces' | 'seccomp';

/** The sandbox that this system has, or why it has none. */
export type SandboxFound =
  | {
      /** On Linux. */
      kind: 'bubblewrap';
      /** Absolute path of `bwrap`. */
      program: string;
      /** Needed to reach allowed hosts. Null: commands have no network. */
      bridge: Bridge | null;
      /** Features that do not work here, with the system's message for each. */
      lacks?: Lacking;
    }
  | {
      /** On macOS. */
      kind: 'seatbelt';
      /** Absolute path of `sandbox-exec`. */
      program: string;
    }
  | {
      /** Commands cannot be confined here. */
      kind: null;
      /** Why there is no sandbox, or why it does not work. */
      reason: Reason;
    };

/** Features that do not work here, and why. */
export type Lacking = Partial<Record<Feature, Reason>>;

/** The system's message. */
const says = (text: string): Reason => because('external', { text });
/** Disabled to see whether the rest works. */
const LEFT_OUT = says('');

/** Fixed places: a program from a folder's own PATH cannot be trusted as the sandbox. */
const BUBBLEWRAP = [
  '/usr/bin/bwrap',
  '/bin/bwrap',
  '/usr/local/bin/bwrap',
  '/run/current-system/sw/bin/bwrap',
];
const SEATBELT = '/usr/bin/sandbox-exec';
/** Milliseconds for the trial. A slower system would be too slow for commands too. */
const TRIAL_WITHIN = 10_000;
/** Manual pages and certificates: most of the copied `/etc`, but unused by the trial's commands. */
const UNUSED_IN_TRIAL = /^(alternatives\/.+\.gz|ssl\/.+)$/;

/** Finds the system's sandbox and runs something in it once. Never rejects. */
export async function detectSandbox(
  options: {
    /** Default: that of this process. */
    platform?: NodeJS.Platform;
    /** Absolute paths to look for the sandbox program, the preferred first. Default: those of the system. */
    programs?: readonly string[];
  } = {},
): Promise<SandboxFound> {
  const { platform = process.platform, programs = platform === 'darwin' ? [SEATBELT] : BUBBLEWRAP } = options;
  const program = programs.find((path) => existsSync(path));
  if (platform === 'linux') {
    if (program === undefined) return { kind: null, reason: because('bubblewrap_missing') };
    const tried = await tryBubblewrap(program);
    return 'code' in tried
      ? { kind: null, reason: because('bubblewrap_fails', { why: tried }) }
      : {
          kind: 'bubblewrap',
          program,
          bridge: findBridge(),
          ...(Object.keys(tried).length === 0 ? {} : { lacks: tried }),
        };
  }
  if (platform === 'darwin') {
    if (program === undefined) return { kind: null, reason: because('sandbox_exec_missing') };
    const failed = await trial({
      file: program,
      args: ['-p', '(version 1)(allow default)', '/usr/bin/true'],
    });
    return failed === null
      ? { kind: 'seatbelt', program }
      : { kind: null, reason: because('sandbox_exec_fails', { why: failed }) };
  }
  return { kind: null, reason: because('system_without_sandbox') };
}

/**
 * Runs a command in each profile as it will be used, and disables features one by one if that fails. Returns the disabled
 * features, or the reason why nothing works.
 */
async function tryBubblewrap(program: string): Promise<Lacking | Reason> {
  const base = await mkdtemp(join(await realpath(tmpdir()), 'deepdesk-trial-')).catch(() => null);
  if (base === null) return because('no_temporary_space');
  try {
    const unknown: Lacking =
      seccompFilter('read-only') === null
        ? { seccomp: because('no_filter_for_processor', { processor: process.arch }) }
        : {};
    const withAll = await tryProfiles(program, base, unknown);
    if (withAll === null) return unknown;
    // Try without both first: if that fails too, neither is the reason.
    const bare = await tryProfiles(program, base, { namespaces: LEFT_OUT, seccomp: LEFT_OUT });
    if (bare !== null) return bare;
    const [namespaces, seccomp] = await Promise.all([
      tryProfiles(program, base, { seccomp: LEFT_OUT }),
      unknown.seccomp ?? tryProfiles(program, base, { namespaces: LEFT_OUT }),
    ]);
    if (namespaces === null && seccomp === null) return { namespaces: withAll };
    return { ...(namespaces === null ? {} : { namespaces }), ...(seccomp === null ? {} : { seccomp }) };
  } catch (error) {
    return says(error instanceof Error ? error.message : String(error));
  } finally {
    await removeTrial(base);
  }
}

/**
 * Bubblewrap's mount points are closed even to their owner, so open everything before removing any of it: a removal that
 * fails in one place still continues in others. Leftovers never make a sandbox unusable.
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

/** Null if both profiles work. */
async function tryProfiles(program: string, base: string, lacks: Lacking): Promise<Reason | null> {
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
  lacks: Lacking,
): Promise<Reason | null> {
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
    system: await systemView(access, {
      folder: join(base, 'etc'),
      gitConfig: '',
      leavesOut: UNUSED_IN_TRIAL,
    }),
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
  if (probe === null) return because('own_tmp_not_writable');
  return (outside !== null) === (access === 'read-write') ? null : because('not_confined');
}

export function stateOf(found: SandboxFound): SandboxState {
  if (found.kind === null) return { kind: null, reason: found.reason, noHosts: found.reason };
  const noHosts =
    found.kind === 'seatbelt'
      ? because('macos_no_hosts')
      : found.bridge === null
        ? because('no_interpreter_for_hosts')
        : null;
  const lacking = found.kind === 'bubblewrap' ? lackingOf(found.lacks ?? {}) : [];
  return { kind: found.kind, reason: null, noHosts, ...(lacking.length === 0 ? {} : { lacking }) };
}

const lackingOf = ({ namespaces, seccomp }: Lacking): Reason[] => [
  ...(namespaces === undefined ? [] : [because('namespaces_open', { why: namespaces })]),
  ...(seccomp === undefined ? [] : [because('system_calls_open', { why: seccomp })]),
];

/** Null if it ran; else the reason, on one line. */
const trial = ({ file, args }: { file: string; args: readonly string[] }): Promise<Reason | null> =>
  new Promise((resolve) => {
    execFile(file, args, { timeout: TRIAL_WITHIN, env: {} }, (error, _stdout, stderr) => {
      if (error === null) resolve(null);
      else resolve(says(stderr.trim().split('\n')[0] || error.message));
    });
  });
