import { CallId } from '../ids';
import { threadEvent } from '../thread-event';

export const memoryEvents = [threadEvent('memory.undone', { callId: CallId })] as const;
