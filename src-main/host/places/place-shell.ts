import { inEnglish } from '../../../src-renderer/i18n/errors';
import type {
  ExecuteOptions,
  ExecuteResponse,
  LocalShellBackendOptions,
  SandboxBackendProtocol,
} from '../../harness';
import { LocalShellBackend } from '../../harness/backends';
import { type PlaceConnection, REACH_LIMIT } from './place-connection';

/** The terminals that commands are shown in, and where their outputs are kept. `rootDir`: any folder of this machine. */
export interface PlaceShellOptions
  extends Pick<LocalShellBackendOptions, 'rootDir' | 'runner' | 'env' | 'maxOutputBytes' | 'outputFolder'> {
  /** Whether somebody can type into the terminals. */
  hasPerson(): boolean;
}

/** Commands on a place's machine. Without a connection nothing runs, and the output says why. */
export function placeShell(
  connection: PlaceConnection,
  { hasPerson, ...options }: PlaceShellOptions,
): Pick<SandboxBackendProtocol, 'execute'> {
  return {
    execute: async (command: string, given: ExecuteOptions = {}): Promise<ExecuteResponse> => {
      const limit = AbortSignal.timeout(REACH_LIMIT);
      const signal = given.signal === undefined ? limit : AbortSignal.any([given.signal, limit]);
      const state = await connection.reach(signal).catch((error: unknown) => {
        given.signal?.throwIfAborted();
        if (!limit.aborted) throw error;
        return null;
      });
      const ready = state?.phase === 'connected' ? await connection.ready(given.signal) : null;
      if (ready?.ok !== true) {
        const why = state?.error == null ? 'It does not answer.' : inEnglish(state.error);
        return notRun(`nothing was run, because the place cannot be used now. ${why}`);
      }
      const { commands } = ready.value;
      if (commands === undefined) return notRun('this place runs no commands.');
      const sandbox = commands.terminal(() => (hasPerson() ? 'person' : 'closed'));
      const shell = new LocalShellBackend({
        ...options,
        startsIn: commands.folder,
        sandboxOf: () => sandbox,
      });
      return shell.execute(command, given);
    },
  };
}

const notRun = (why: string): ExecuteResponse => ({ output: `Error: ${why}`, exitCode: 1, truncated: false });
