import { Usage } from '../conversation';
import { threadEvent } from '../thread-event';

export const usageEvents = [threadEvent('usage.changed', { usage: Usage })] as const;
