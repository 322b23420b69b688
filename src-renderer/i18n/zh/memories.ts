import type { memories as en } from '../en/memories';
import type { Same } from '../types';

export const memories: Same<typeof en> = {};
