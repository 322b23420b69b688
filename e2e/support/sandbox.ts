import { capability } from '../../scripts/runtime/capabilities.mjs';
import { currentRun } from './run';

/** Whether read-only commands run in the read-only sandbox without asking. They ask on machines without a sandbox. */
export const hasCommandSandbox = async (): Promise<boolean> =>
  (await capability('commandSandbox', { user: currentRun().user })).works;
