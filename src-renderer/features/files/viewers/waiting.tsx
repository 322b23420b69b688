import type { ErrorInWords } from '@contract/result';
import type { ReactNode } from 'react';
import { ErrorNote, LoadFailed, Skeleton } from '../../../ui';
import type { Answer } from './place';

/** Shown instead of a viewer until its content has loaded, or if that failed. */
export const Waiting = <T,>({ answer }: { answer: Answer<T> }) =>
  answer.phase === 'failed' ? <Failed error={answer.error} onRetry={answer.retry} /> : <Skeleton lines={8} />;

interface FailedProps {
  error: Pick<ErrorInWords, 'message' | 'detail'>;
  /** Absent: it would fail again until the file changes. */
  onRetry?: (() => void) | undefined;
}

export const Failed = ({ error, onRetry }: FailedProps) => (
  <div className="p-3">
    {onRetry === undefined ? (
      <ErrorNote message={error.message} detail={error.detail} />
    ) : (
      <LoadFailed error={error} onRetry={onRetry} />
    )}
  </div>
);

/** For `Kept`: why content that is shown could not be read again. */
export const failedOf = <T,>(answer: Extract<Answer<T>, { phase: 'there' }>): FailedProps | undefined =>
  answer.failed && { error: answer.failed.error, onRetry: answer.failed.retry };

/**
 * The content of a file, below why it could not be read again, as while another program writes it. It stays with the focus and the
 * reader's place, as a file that is being written can usually be read a moment later.
 */
export const Kept = ({ failed, children }: { failed: FailedProps | undefined; children: ReactNode }) => (
  <div className="flex h-full min-h-0 flex-col">
    {failed !== undefined && (
      <div className="shrink-0 border-b border-line">
        <Failed {...failed} />
      </div>
    )}
    <div className="min-h-0 grow">{children}</div>
  </div>
);
