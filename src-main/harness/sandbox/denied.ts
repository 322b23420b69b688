import { dirname } from 'node:path';
import { isBelow } from '../../base/is-below';
import type { CommandSandbox } from '../backends/commands';
import type { SandboxFound } from './detect';
import type { HiddenPlace } from './hidden';
import { below, quoted } from './seatbelt';

/** Paths that a person's rules keep from commands. They exist, links are resolved, and none lies in a hidden one. */
export interface DeniedPaths {
  /** Commands can neither read nor write these. */
  hidden: readonly HiddenPlace[];
  /** Commands can read these, but not write. */
  readOnly: readonly string[];
}

export const NOTHING_DENIED: DeniedPaths = { hidden: [], readOnly: [] };

/** Folders in `folder` above denied paths: whoever renames one moves the path away from its rule. */
export function waysToDenied({ hidden, readOnly }: DeniedPaths, folder: string): string[] {
  const ways = new Set<string>();
  for (const path of [...hidden.map((place) => place.path), ...readOnly])
    for (let above = dirname(path); above !== folder && isBelow(above, folder); above = dirname(above))
      ways.add(above);
  return [...ways];
}

/**
 * For commands that the person lets out of the sandbox: they reach what the person reaches, except what the rules deny. They
 * get no administrator rights, which would lift that.
 */
export function createDenyingSandbox(
  found: Exclude<SandboxFound, { kind: null }>,
  folder: string,
  denied: () => Promise<DeniedPaths>,
): CommandSandbox {
  return {
    enter: async ({ cwd }) => {
      const paths = await denied();
      return {
        isOpen: true,
        wrap: (program) => {
          const args =
            found.kind === 'bubblewrap'
              ? [...openView(paths, folder), '--chdir', cwd, '--', program.file, ...program.args]
              : ['-p', denyingProfile(paths, folder), program.file, ...program.args];
          return { file: found.program, args };
        },
        leave: async () => ({ note: null, refused: [] }),
      };
    },
  };
}

/** The whole machine with its processes and network. */
function openView(denied: DeniedPaths, folder: string): string[] {
  const args = ['--unshare-user', '--cap-drop', 'ALL', '--dev-bind', '/', '/'];
  const around = denied.hidden.filter(({ path }) => isBelow(folder, path));
  for (const { path } of around) args.push('--perms', '0111', '--tmpfs', path);
  args.push('--bind', folder, folder);
  for (const path of waysToDenied(denied, folder).toSorted(byLength)) args.push('--bind', path, path);
  for (const path of denied.readOnly.toSorted(byLength)) args.push('--ro-bind', path, path);
  for (const { path, kind } of denied.hidden) {
    if (isBelow(folder, path)) continue;
    if (kind === 'file') args.push('--ro-bind', '/dev/null', path);
    else args.push('--perms', '0000', '--tmpfs', path, '--remount-ro', path);
  }
  for (const { path } of around) args.push('--remount-ro', path);
  return args;
}

function denyingProfile(denied: DeniedPaths, folder: string): string {
  const around = denied.hidden.some(({ path }) => isBelow(folder, path));
  const inside = denied.hidden.filter(({ path }) => !isBelow(folder, path));
  return [
    '(version 1)',
    '(allow default)',
    ...denied.hidden.map(({ path }) => `(deny file-read* file-write* ${below(path)})`),
    ...(around ? [`(allow file-read* file-write* ${below(folder)})`] : []),
    ...denied.readOnly.map((path) => `(deny file-write* ${below(path)})`),
    ...inside.map(({ path }) => `(deny file-read* file-write* ${below(path)})`),
    ...waysToDenied(denied, folder).map((path) => `(deny file-write-unlink (literal ${quoted(path)}))`),
  ].join('\n');
}

const byLength = (a: string, b: string) => a.length - b.length;
