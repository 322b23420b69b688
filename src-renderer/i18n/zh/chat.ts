import type { chat as en } from '../en/chat';
import type { Same } from '../types';

export const chat: Same<typeof en> = {};
