import { CallId, type ThreadId } from '../../../contract/ids';
import type { Storage } from '../../../storage';
import type { StoredResult } from '../../threads/journal';

/** The results of one thread's calls, so that no finished call runs again. */
export function journalOf(threadId: ThreadId, { journal, onDisk }: Pick<Storage, 'journal' | 'onDisk'>) {
  const lookup = (callId: string) => journal.lookup(threadId, CallId.parse(callId));
  return {
    begin: (callId: string, digest: string) => void journal.begin(threadId, CallId.parse(callId), digest),
    onDisk,
    forget: (callId: string) => journal.forget(threadId, CallId.parse(callId)),
    isUnfinished: (callId: string) => lookup(callId)?.state === 'started',
    finish: (callId: string, result: StoredResult) =>
      journal.finish(threadId, CallId.parse(callId), JSON.stringify(result)),
    resultOf: (callId: string): StoredResult | undefined => {
      const entry = lookup(callId);
      return entry?.state === 'finished' ? (JSON.parse(entry.result) as StoredResult) : undefined;
    },
  };
}
