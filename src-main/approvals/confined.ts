import { basename, relative } from 'node:path';
import type { GateCall } from './call';
import type { CommandJudgement } from './command';
import type { Places } from './effects';
import { namedPaths } from './shell/named-paths';
import { isBelow, isSecret, type ShellPlaces } from './shell/places';

/** Whether commands can be kept from the rest of the machine. */
export interface Confinement {
  available: boolean;
  /** Why not, as sentences; null where they can. */
  reason: string | null;
  /** The person wants what runs without being asked about confined; in `auto-sandbox` it always is. */
  wanted: boolean;
}

export const NOT_CONFINED: Confinement = { available: false, reason: null, wanted: false };

/** Why the agent wants a command outside the sandbox, in its own words; null where it does not. */
export function outsideReason({ tool, args }: GateCall): string | null {
  const { outside_sandbox: reason } = args;
  if (tool !== 'execute' || reason === undefined || reason === null || reason === false) return null;
  return typeof reason === 'string' ? reason.trim() || null : JSON.stringify(reason);
}

/** Names in the folder that other programs run or obey; `.git` also holds what no undo brings back. */
const OBEYED = /(^|\/)(\.git|\.vscode|\.cursor|\.idea|\.envrc|\.mcp\.json|\.deepdesk)(\/|$)/i;

/** Programs that, told of a folder, do it to all that is in it, `.git` with what was never pushed included. */
const SWEEPING = /^(rm|find|mv|shred|chmod|chown|rsync)$/;
const isSweeping = ({ verdict, written }: CommandJudgement['parts'][number]) =>
  verdict === 'ask' && SWEEPING.test(written?.[0] ?? '');

/** Names of secrets that are made to be shared. */
const EXAMPLE = /\.(example|sample|template)$/i;

export const isKeptSecret = (path: string): boolean => isSecret(path) && !EXAMPLE.test(path);

/** Why a command is asked about even though it would run in the sandbox; null where it may just run there. */
export function whyAskedAllTheSame(
  call: GateCall,
  command: CommandJudgement,
  shell: ShellPlaces | null,
): string | null {
  if (shell === null) return command.reason;
  if (!command.understood) return command.reason;
  for (const path of namedPaths(String(call.args.command ?? ''), shell.cwd)) {
    if (isKeptSecret(path)) return `${basename(path)} may hold secrets.`;
    if (path === shell.folder && command.parts.some(isSweeping))
      return `It is about the whole folder. ${command.reason}`;
    if (isBelow(path, shell.folder) && OBEYED.test(relative(shell.folder, path)))
      return `It names ${relative(shell.folder, path)}, which other programs run or obey.`;
  }
  return null;
}

/** Whether a file tool changes something strictly inside the folder, links followed, and nothing that others obey. */
export const staysInFolder = (paths: readonly string[], { folder }: Places): boolean =>
  paths.length > 0 &&
  paths.every((path) => path !== folder && isBelow(path, folder) && !OBEYED.test(relative(folder, path)));
