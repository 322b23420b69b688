import { relative } from 'node:path';
import { isBelow } from '../base/is-below';
import { isBuildFile, isObeyed } from '../base/protected-paths';
import type { Reason, Reasons } from '../contract/shared/reasons';
import { runsCommand } from '../harness/tools/catalogue';
import type { ShellPlaces } from './bash/places';
import type { GateCall } from './call';
import type { CommandJudgement } from './command';
import type { Places } from './effects';

/** Whether commands can be kept from the rest of the machine. */
export interface Confinement {
  available: boolean;
  /** Why not; null where they can, and while it is being found out. */
  reason: Reason | null;
  /** The person wants what runs without being asked about confined; in `auto-sandbox` it always is. */
  wanted: boolean;
}

export const NOT_CONFINED: Confinement = { available: false, reason: null, wanted: false };

/** Why the agent wants a command outside the sandbox, in its own words; null where it does not. */
export function outsideReason({ tool, args }: GateCall): string | null {
  const { outside_sandbox: reason } = args;
  if (!runsCommand(tool) || reason === undefined || reason === null || reason === false) return null;
  return typeof reason === 'string' ? reason.trim() || null : JSON.stringify(reason);
}

/** Why a command is asked about even though it would run in the sandbox; null where it may just run there. */
export function whyAskedAllTheSame(command: CommandJudgement, shell: ShellPlaces | null): Reasons | null {
  if (shell === null || !command.understood) return command.reason;
  const why = command.secret ?? command.sweeping;
  return why === null ? null : [why];
}

/** Whether a file tool changes something strictly inside the folder, links followed, and nothing that others obey. */
export const staysInFolder = (paths: readonly string[], { folder }: Places): boolean =>
  paths.length > 0 &&
  paths.every((path) => path !== folder && isBelow(path, folder) && !isRunLater(path, folder));

const isRunLater = (path: string, folder: string): boolean => {
  const name = relative(folder, path);
  return isObeyed(name) || isBuildFile(name);
};
