import type { ErrorInWords } from '@contract/result';
import { ErrorNote, Skeleton } from '../../../ui';
import type { Answer } from './place';

/** Shown instead of a viewer until its content has loaded, or if that failed. */
export const Waiting = <T,>({ answer }: { answer: Answer<T> }) =>
  answer.phase === 'failed' ? <Failed error={answer.error} /> : <Skeleton lines={8} />;

export const Failed = ({ error }: { error: Pick<ErrorInWords, 'message' | 'detail'> }) => (
  <div className="p-3">
    <ErrorNote message={error.message} detail={error.detail} />
  </div>
);
