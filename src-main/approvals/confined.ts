import { relative } from 'node:path';
import { isBelow } from '../base/is-below';
import { isBuildFile, isObeyed, isPackageCode } from '../base/protected-paths';
import type { Reason, Reasons } from '../contract/shared/reasons';
import { runsCommand } from '../harness/tools/catalogue';
import type { ShellPlaces } from './bash/paths/places';
import type { GateCall } from './call';
import type { CommandJudgement } from './command';
import type { Places } from './effects';

/** Whether commands can be isolated from the rest of the machine. */
export interface Confinement {
  available: boolean;
  /** Why they cannot; null if they can, or while that is unknown. */
  reason: Reason | null;
  /** The person wants commands that run without asking to be sandboxed. In `auto-sandbox` they always are. */
  wanted: boolean;
}

export const NOT_CONFINED: Confinement = { available: false, reason: null, wanted: false };

/** The agent's reason to run a command outside the sandbox; null if it does not want that. */
export function outsideReason({ tool, args }: GateCall): string | null {
  const { outside_sandbox: reason } = args;
  if (!runsCommand(tool) || reason === undefined || reason === null || reason === false) return null;
  return typeof reason === 'string' ? reason.trim() || null : JSON.stringify(reason);
}

/** Why a command needs approval although it would run in the sandbox; null if it may run there. */
export function whyAskedAllTheSame(command: CommandJudgement, shell: ShellPlaces | null): Reasons | null {
  if (shell === null || !command.understood) return command.reason;
  const why = command.secret ?? command.sweeping;
  return why === null ? null : [why];
}

/** Whether a file tool changes something strictly inside the folder, with links followed, that no other program loads. */
export const staysInFolder = (paths: readonly string[], { folder }: Places): boolean =>
  paths.length > 0 &&
  paths.every((path) => path !== folder && isBelow(path, folder) && !isRunLater(path, folder));

const isRunLater = (path: string, folder: string): boolean => {
  const name = relative(folder, path);
  return isObeyed(name) || isBuildFile(name) || isPackageCode(name);
};
