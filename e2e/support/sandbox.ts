import { capability } from '../../scripts/runtime/capabilities.mjs';
import { currentRun } from './run';

/**
 * Whether commands that may only read are run in the read-only sandbox without a question. Where this machine has no sandbox,
 * they are asked about.
 */
export const hasCommandSandbox = async (): Promise<boolean> =>
  (await capability('commandSandbox', { user: currentRun().user })).works;
