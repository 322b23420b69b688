import type { MessageId, ThreadId } from '@contract/ids';
import { useLiveAnswer } from '../../link';

/** What a thread changed since a message or since its start. Null: no thread. */
export const useChangeList = (threadId: ThreadId | null, since: MessageId | undefined) =>
  useLiveAnswer('changes.list', threadId === null ? null : { threadId, since });

/** The differences of one file. */
export const useFileChanges = (threadId: ThreadId, path: string, since: MessageId | undefined) =>
  useLiveAnswer('changes.file', { threadId, path, since });
