import { Compaction } from '../conversation';
import { MessageId } from '../ids';
import { threadEvent } from '../thread-event';

export const compactionEvents = [
  threadEvent('compaction.added', { compaction: Compaction }),
  threadEvent('compaction.undone', { compactionId: MessageId }),
] as const;
