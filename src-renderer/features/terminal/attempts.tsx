import type { TerminalId } from '@contract/ids';
import { type ReactNode, useState } from 'react';
import { ErrorNote, LoadFailed } from '../../ui';

interface Shown {
  message: string;
  detail?: string | undefined;
}

interface Failure {
  error: Shown;
  /** The terminal that was shown then. Another one has nothing to do with it. */
  of: TerminalId | undefined;
  retry: (() => void) | undefined;
}

type Done = { ok: true } | { ok: false; error: Shown & { kind: string } };

/** Does something, and says what failed, with a button to try it again, unless rules deny it. */
export type Attempt = (action: () => Promise<Done>) => Promise<void>;

export interface Attempts {
  /** What failed last in this terminal. */
  note: ReactNode;
  attempt: Attempt;
  /** The same for what is known already. Undefined: nothing failed. */
  report(error: Shown | undefined, retry?: () => void): void;
}

export function useAttempts(of: TerminalId | undefined): Attempts {
  const [failure, setFailure] = useState<Failure>();
  const report: Attempts['report'] = (error, retry) => setFailure(error && { error, of, retry });
  const attempt: Attempt = async (action) => {
    const result = await action();
    if (result.ok) report(undefined);
    else report(result.error, result.error.kind === 'denied' ? undefined : () => void attempt(action));
  };
  const note = failure !== undefined && failure.of === of && (
    <div className="p-2">
      {failure.retry === undefined ? (
        <ErrorNote message={failure.error.message} detail={failure.error.detail} />
      ) : (
        <LoadFailed error={failure.error} onRetry={failure.retry} />
      )}
    </div>
  );
  return { note, attempt, report };
}
