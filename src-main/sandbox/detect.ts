import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { SandboxState } from '../contract/sandbox';
import { type Bridge, findBridge } from './bridge';

export type SandboxFound =
  | { kind: 'bubblewrap'; program: string; bridge: Bridge | null }
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

/** What isolates, whatever is bound where. */
export const ISOLATION = ['--unshare-all', '--die-with-parent', '--new-session', '--cap-drop', 'ALL'];

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
    const mounts = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/tmp'];
    const failed = await trial(program, [...ISOLATION, ...mounts, '--', '/bin/sh', '-c', ':']);
    return failed === null
      ? { kind: 'bubblewrap', program, bridge: findBridge() }
      : { kind: null, reason: `bubblewrap is installed but cannot be used here: ${failed}` };
  }
  if (platform === 'darwin') {
    if (program === undefined) return { kind: null, reason: 'This macOS has no sandbox-exec.' };
    const failed = await trial(program, ['-p', '(version 1)(allow default)', '/usr/bin/true']);
    return failed === null
      ? { kind: 'seatbelt', program }
      : { kind: null, reason: `sandbox-exec cannot be used here: ${failed}` };
  }
  return { kind: null, reason: 'Deepdesk knows no sandbox for commands on this system.' };
}

export function stateOf(found: SandboxFound): SandboxState {
  if (found.kind === null) return { kind: null, reason: found.reason, noHosts: found.reason };
  const noHosts =
    found.kind === 'seatbelt'
      ? 'On macOS the sandbox has no network at all.'
      : found.bridge === null
        ? 'Neither perl nor python3 is installed, so the sandbox has no network at all.'
        : null;
  return { kind: found.kind, reason: null, noHosts };
}

/** Null where it ran; else the reason, on one line. */
const trial = (program: string, args: string[]): Promise<string | null> =>
  new Promise((resolve) => {
    execFile(program, args, { timeout: TRIAL_WITHIN, env: {} }, (error, _stdout, stderr) => {
      if (error === null) resolve(null);
      else resolve(stderr.trim().split('\n')[0] || error.message);
    });
  });
