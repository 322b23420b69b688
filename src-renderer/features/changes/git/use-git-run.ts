import type { CommandName, Input, Output } from '@contract/commands';
import type { ErrorInWords } from '@contract/result';
import { useState } from 'react';
import { call } from '../../../link';
import { useBusy } from '../../../ui';

export interface GitRun {
  busy: boolean;
  /** Why the last action failed; null after one that succeeded. */
  error: ErrorInWords | null;
  /** Runs an action and reloads what is shown. Null: it failed. */
  run<C extends CommandName>(command: C, input: Input<C>): Promise<Output<C> | null>;
}

/** Runs git actions one at a time. */
export function useGitRun(reload: () => void): GitRun {
  const [busy, during] = useBusy();
  const [error, setError] = useState<ErrorInWords | null>(null);
  return {
    busy,
    error,
    run: async (command, input) => {
      const result = await during(call(command, input));
      setError(result.ok ? null : result.error);
      reload();
      return result.ok ? result.value : null;
    },
  };
}
