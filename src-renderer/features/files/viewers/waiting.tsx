import type { ErrorInWords } from '@contract/result';
import { ErrorNote, Skeleton } from '../../../ui';
import type { Answer } from './place';

/** What stands in a viewer's place until there is something to show, and where it failed. */
export const Waiting = <T,>({ answer }: { answer: Answer<T> }) =>
  answer.phase === 'failed' ? <Failed error={answer.error} /> : <Skeleton lines={8} />;

export const Failed = ({ error }: { error: Pick<ErrorInWords, 'message' | 'detail'> }) => (
  <div className="p-3">
    <ErrorNote message={error.message} detail={error.detail} />
  </div>
);
