import type { tools as en } from '../en/tools';
import type { Same } from '../types';

export const tools: Same<typeof en> = {};
